# SPDX-License-Identifier: Apache-2.0
"""The rule `stowage_firmware`: models and C sources become an image for a board."""

load("@rules_cc//cc:defs.bzl", "CcInfo")
load("@rules_cc//cc:find_cc_toolchain.bzl", "use_cc_toolchain")
load(":board_info.bzl", "BoardInfo")
load(":board_transition.bzl", "board_transition")
load(":c_toolchain.bzl", "compile_sources", "link_image")
load(":firmware_info.bzl", "StowageFirmwareInfo")
load(":model_info.bzl", "StowageModelInfo")
load(":pool_info.bzl", "StowagePoolInfo")
load(":trial_image.bzl", "TRIAL_ATTRS", "trial_image")

_BINUTILS = "//tools/toolchains:binutils_toolchain_type"

def _stowage_firmware_impl(ctx):
    board = ctx.attr._board[BoardInfo]
    models = [size for model in _models(ctx) for size in model.sizes or [model]]
    libraries = [dep[CcInfo] for dep in ctx.attr.deps + [ctx.attr._hal, ctx.attr._runtime]]
    objects = compile_sources(
        ctx,
        name = ctx.label.name,
        sources = [file for file in ctx.files.srcs if file.extension == "c"],
        headers = [file for file in ctx.files.srcs if file.extension == "h"],
        includes = {file.dirname: None for file in ctx.files.srcs if file.extension == "h"}.keys(),
        deps = libraries,
    )
    map = None if board.core == "host" else ctx.actions.declare_file(ctx.label.name + ".map")
    stack_bytes = ctx.attr.stack_bytes
    device_libraries = [objects, ctx.attr._device_port[CcInfo]] + libraries
    elf = link_image(ctx, ctx.label.name + ".elf", device_libraries, board, stack_bytes, map)
    emulated_libraries = [objects, ctx.attr._emulated_port[CcInfo]] + libraries
    emulated = link_image(ctx, ctx.label.name + ".emulated.elf", emulated_libraries, board, stack_bytes)
    products = [_hex(ctx, elf), _bin(ctx, elf), map] if map else []
    reports = _reports(ctx, elf, board, models) if board.core != "host" else []
    trials = [struct(elf = trial_image(ctx, model, board), memory_json = model.memory_json) for model in models]
    return [
        DefaultInfo(
            files = depset([elf] + products + reports),
            executable = emulated if board.core == "host" else None,
        ),
        StowageFirmwareInfo(elf = elf, emulated_elf = emulated, board = board, trials = trials),
        OutputGroupInfo(
            elf = depset([elf]),
            emulated = depset([emulated]),
            trials = depset([trial.elf for trial in trials]),
            report = depset(reports),
            **{file.extension: depset([file]) for file in products}
        ),
    ]

def _models(ctx):
    """All models of the image, those in pools included."""
    models = [dep[StowageModelInfo] for dep in ctx.attr.deps if StowageModelInfo in dep]
    models += [model for dep in ctx.attr.deps if StowagePoolInfo in dep for model in dep[StowagePoolInfo].models]
    arenas = {}
    for model in models:
        if arenas.setdefault(model.name, model.arena) != model.arena:
            fail("{}: model {} is in it with {} and with {}; depend on one of them".format(
                ctx.label,
                model.name,
                arenas[model.name],
                model.arena,
            ))
    return models

def _binutils(ctx):
    return ctx.toolchains[_BINUTILS].binutils

def _objcopy(ctx, elf, format, extension, arguments = []):
    output = ctx.actions.declare_file("{}.{}".format(ctx.label.name, extension))
    ctx.actions.run(
        executable = _binutils(ctx).objcopy,
        arguments = arguments + ["-O", format, elf.path, output.path],
        inputs = [elf],
        outputs = [output],
        tools = _binutils(ctx).files,
        mnemonic = "StowageObjcopy",
    )
    return output

def _hex(ctx, elf):
    return _objcopy(ctx, elf, "ihex", "hex")

def _bin(ctx, elf):
    """A file without addresses: with what lies in a later region it would hold all between the regions as well."""
    return _objcopy(ctx, elf, "binary", "bin", ["--remove-section=.stw_weights.in_*"])

def _reports(ctx, elf, board, models):
    text = ctx.actions.declare_file(ctx.label.name + ".report.txt")
    record = ctx.actions.declare_file(ctx.label.name + ".report.json")
    arguments = ctx.actions.args()
    arguments.add("--firmware", str(ctx.label).removeprefix("@@").removeprefix("@"))
    arguments.add("--elf", elf)
    arguments.add("--board", board.textproto)
    arguments.add_all(board.reserve, before_each = "--reserve")
    arguments.add("--objdump", _binutils(ctx).objdump)
    arguments.add_all([model.memory_json for model in models], before_each = "--model")
    arguments.add("--text", text)
    arguments.add("--json", record)
    ctx.actions.run(
        executable = ctx.executable._report,
        arguments = [arguments],
        inputs = [elf, board.textproto] + [model.memory_json for model in models],
        outputs = [text, record],
        tools = [_binutils(ctx).objdump, _binutils(ctx).files],
        mnemonic = "StowageReport",
        progress_message = "Measuring %{label}",
    )
    return [text, record]

stowage_firmware = rule(
    implementation = _stowage_firmware_impl,
    doc = """Links models and C sources into an image for a board.

Gives `<name>.elf` with debug information, `<name>.hex`, `<name>.bin`, `<name>.map` and the memory report `<name>.report.txt` and
`.json`. Weights in another region than the board's preferred one are in `.elf` and `.hex`, but not in `.bin`. Building it needs no flag: the rule builds all that it depends on for its board.

Output groups: `elf`, `hex`, `bin`, `map`, `report`; `emulated` is the same image with the emulator's console and exit, every other
symbol at the same address; `trials` has the images that measure each model.""",
    cfg = board_transition,
    attrs = {
        "board": attr.label(
            doc = "The board, for instance `//boards/nrf52`: a `stowage_board`.",
            mandatory = True,
        ),
        "srcs": attr.label_list(
            doc = "C sources and headers of the firmware; one of them has `main`.",
            allow_files = [".c", ".h"],
        ),
        "deps": attr.label_list(
            doc = "Models (`stowage_model`), pools of them (`stowage_pool`) and C libraries.",
            providers = [CcInfo],
        ),
        "stack_bytes": attr.int(
            doc = "Size of the stack in bytes, a multiple of 8; 0 for what the board file says.",
        ),
        "_board": attr.label(default = "//tools/rules:board", providers = [BoardInfo]),
        "_device_port": attr.label(default = "//hal:device_port", providers = [CcInfo]),
        "_report": attr.label(default = "//tools/size:report", executable = True, cfg = "exec"),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    } | TRIAL_ATTRS,
    provides = [StowageFirmwareInfo],
    toolchains = use_cc_toolchain() + [_BINUTILS],
    fragments = ["cpp"],
)
