# SPDX-License-Identifier: Apache-2.0
"""The rule behind `stowage_board`: everything that is generated from a board file."""

load("@rules_cc//cc:defs.bzl", "CcInfo", "cc_common")
load(":board_info.bzl", "BoardInfo")

def _board_files_impl(ctx):
    folder = ctx.label.name + "/"
    linker_script, header, mpu_header, execution = [
        ctx.actions.declare_file(folder + name)
        for name in ["stw_board.ld", "stw_board.h", "stw_board_mpu.h", "stw_board_exec.json"]
    ]
    outputs = [linker_script, header, mpu_header, execution]
    arguments = ctx.actions.args()
    arguments.add(ctx.file.board)
    arguments.add("--core", ctx.attr.core)
    arguments.add_all(ctx.attr.reserve, before_each = "--reserve")
    arguments.add("--out", header.dirname)
    ctx.actions.run(
        executable = ctx.executable._generator,
        arguments = [arguments],
        inputs = [ctx.file.board],
        outputs = outputs,
        mnemonic = "StowageBoard",
        progress_message = "Reading board %{label}",
    )
    compilation = cc_common.create_compilation_context(
        headers = depset([header, mpu_header]),
        quote_includes = depset([header.dirname]),
    )
    return [
        DefaultInfo(files = depset(outputs)),
        OutputGroupInfo(execution = depset([execution])),
        CcInfo(compilation_context = compilation),
        BoardInfo(
            name = ctx.attr.board_name,
            textproto = ctx.file.board,
            reserve = ctx.attr.reserve,
            core = ctx.attr.core,
            linker_script = linker_script,
            headers = [header, mpu_header],
            execution = execution,
        ),
    ]

board_files = rule(
    implementation = _board_files_impl,
    doc = """Reads a board file and generates from it linker script, C headers and how images are executed.

A board file that contradicts itself, or whose core is not the one given here, fails the build with a sentence that says where.

Output group: `execution`, how an image is executed, for `//tools/qemu:run`.""",
    attrs = {
        "board": attr.label(
            doc = "The board file, `board.textproto`.",
            allow_single_file = [".textproto"],
            mandatory = True,
        ),
        "board_name": attr.string(
            doc = "The name of the `stowage_board` target.",
            mandatory = True,
        ),
        "core": attr.string(
            doc = "The processor core; the board file has to name the same.",
            mandatory = True,
        ),
        "reserve": attr.string_list(
            doc = "Names of the board file's reservations that images leave alone.",
        ),
        "_generator": attr.label(default = "//compiler/stowage/target:board_files", executable = True, cfg = "exec"),
    },
    provides = [BoardInfo, CcInfo],
)
