# SPDX-License-Identifier: Apache-2.0
"""The rule `zoo_model`: a model of the zoo as a `stowage_model` is, or a stand-in where the compiler refuses it."""

load("//tools/rules/private:board_info.bzl", "BoardInfo")
load("//tools/rules/private:model_info.bzl", "StowageModelInfo")

_NAME = "zoo"
_SUFFIXES = [".h", "_arena.h", "_weights.h", ".c", "_weights.c", "_memory.txt", "_memory.json"]

def _zoo_model_impl(ctx):
    board = ctx.attr._board[BoardInfo]
    files = {
        suffix: ctx.actions.declare_file("{}.zoo/{}{}".format(ctx.label.name, _NAME, suffix))
        for suffix in _SUFFIXES
    }
    arguments = ctx.actions.args()
    arguments.add(ctx.file.model)
    arguments.add("--board", board.textproto)
    arguments.add("--name", _NAME)
    if ctx.attr.ram:
        arguments.add("--ram", ctx.attr.ram)
    arguments.add_all(ctx.files._stand_in, before_each = "--stand-in")
    arguments.add("--out", files[".c"].dirname)
    ctx.actions.run(
        executable = ctx.executable._compiler,
        arguments = [arguments],
        inputs = [ctx.file.model, board.textproto] + ctx.files.data + ctx.files._stand_in,
        outputs = files.values(),
        mnemonic = "StowageZooCompile",
        progress_message = "Stowing %{label} for " + board.name,
    )
    return [
        DefaultInfo(files = depset([files["_memory.json"]])),
        StowageModelInfo(
            name = _NAME,
            headers = [files[suffix] for suffix in _SUFFIXES if suffix.endswith(".h")],
            sources = [files[suffix] for suffix in _SUFFIXES if suffix.endswith(".c")],
            header = _NAME + ".h",
            include = files[".h"].dirname,
            size = {},
            sizes = [],
            run = _NAME + "_run({})",
            arena = _NAME + "_arena",
            library = None,
            memory_text = files["_memory.txt"],
            memory_json = files["_memory.json"],
            prefetch = False,
            arenas = [],
            stream_input = False,
        ),
    ]

zoo_model = rule(
    implementation = _zoo_model_impl,
    doc = """Compiles a model for the board that it is built for.

Whether a model fits a board is known only when it is compiled, and what is built of it before. So a model that is refused
is built too, as a stand-in without inputs and outputs, and its memory report has the compiler's sentence.""",
    attrs = {
        "model": attr.label(doc = "The model's file.", allow_single_file = True, mandatory = True),
        "data": attr.label_list(doc = "Files that the model may keep its weights in.", allow_files = True),
        "ram": attr.string(doc = "The most that its arena may take; parts run in stripes where it would take more."),
        "_board": attr.label(default = "//tools/rules:board", providers = [BoardInfo]),
        "_compiler": attr.label(default = "//tests/zoo:compile_or_refuse", executable = True, cfg = "exec"),
        "_stand_in": attr.label(default = "//tests/zoo:stand_in", allow_files = True),
    },
    provides = [StowageModelInfo],
)
