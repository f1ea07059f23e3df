# SPDX-License-Identifier: Apache-2.0
"""The rule `stowage_pool`: several models become a C library with one arena, for whatever board it is built for."""

load("@rules_cc//cc:defs.bzl", "CcInfo")
load("@rules_cc//cc:find_cc_toolchain.bzl", "use_cc_toolchain")
load(":board_info.bzl", "BoardInfo")
load(":c_name.bzl", "c_name")
load(":c_toolchain.bzl", "compile_sources")
load(":compiler_action.bzl", "run_compiler")
load(":model_info.bzl", "StowageModelInfo")
load(":pool_info.bzl", "StowagePoolInfo")

_POOL_SUFFIXES = [".h", "_weights.h", ".c", "_weights.c", "_memory.txt", "_memory.json", "_memory.html"]
_STAGES = ["plan", "program"]

def _declare(ctx, name, models):
    """Declares all files that the compiler makes: by suffix, those of the pool and of each model."""
    folder = ctx.label.name + ".stowage/"
    owners = {}
    for owner, suffixes in [(name, _POOL_SUFFIXES)] + [(model.name, model.request.suffixes) for model in models]:
        for suffix in suffixes:
            file = (owner + suffix).lower()
            if file in owners:
                fail("{}: two of its names, {} and {}, make a file {}; give one of them another c_name".format(
                    ctx.label,
                    owners[file],
                    owner,
                    file,
                ))
            owners[file] = owner
    return [
        {suffix: ctx.actions.declare_file(folder + owner + suffix) for suffix in suffixes}
        for owner, suffixes in [(name, _POOL_SUFFIXES)] + [
            (model.name, model.request.suffixes + [".{}.mlir".format(stage) for stage in _STAGES])
            for model in models
        ]
    ]

def _generate(ctx, name, models, files, board):
    """Registers the compiler's action."""
    arguments = []
    for option, buffers in [("--buffer", ctx.attr.buffers), ("--scratch", ctx.attr.scratch)]:
        for key, value in buffers.items():
            arguments += [option, "{}={}".format(key, value)]
    for model in models:
        arguments += ["--model"] + model.request.arguments
    run_compiler(
        ctx,
        command = ["pool", name],
        board = board,
        out = files[0][".c"].dirname,
        stages = _STAGES,
        arguments = arguments,
        inputs = [file for model in models for file in model.request.inputs],
        outputs = [file for owned in files for file in owned.values()],
        mnemonic = "StowagePool",
        what = "the models of %{label}",
    )

def _pooled(name, model, files, headers, sources):
    """A model as it is in the pool, of which `sources` are."""
    return StowageModelInfo(
        name = model.name,
        headers = headers,
        sources = [files[suffix] for suffix in [".c", "_weights.c"]] + sources,
        header = name + ".h",
        include = sources[0].dirname,
        size = {},
        sizes = [],
        run = model.name + "_run({})",
        arena = name + "_arena",
        library = None,
        memory_text = files["_memory.txt"],
        memory_json = files["_memory.json"],
        request = model.request,
        prefetch = False,
        arenas = [],
        stream_input = False,
    )

def _stowage_pool_impl(ctx):
    name = c_name(ctx.label)
    models = [target[StowageModelInfo] for target in ctx.attr.models]
    for model in [each for each in models if each.sizes]:
        fail("{}: model {} has several sizes, but a model of a pool has one; give its dimensions one extent each".format(
            ctx.label,
            model.name,
        ))
    files = _declare(ctx, name, models)
    _generate(ctx, name, models, files, ctx.attr._board[BoardInfo])
    headers, sources, reports = [
        [file for owned in files for suffix, file in owned.items() if suffix.endswith(endings)]
        for endings in [(".h",), (".c",), (".txt", ".json", ".html")]
    ]
    own = files[0]
    own_sources = [own[suffix] for suffix in [".c", "_weights.c"]]
    return [
        DefaultInfo(files = depset(headers + sources)),
        compile_sources(
            ctx,
            name = ctx.label.name,
            sources = sources,
            headers = headers,
            includes = [own[".h"].dirname],
            deps = [ctx.attr._runtime[CcInfo]],
        ),
        StowagePoolInfo(
            name = name,
            models = [_pooled(name, model, made, headers, own_sources) for model, made in zip(models, files[1:])],
            memory_text = own["_memory.txt"],
            memory_json = own["_memory.json"],
        ),
        OutputGroupInfo(
            c = depset(headers + sources),
            report = depset(reports),
            **{stage: depset([made[".{}.mlir".format(stage)] for made in files[1:]]) for stage in _STAGES}
        ),
    ]

stowage_pool = rule(
    implementation = _stowage_pool_impl,
    doc = """Compiles several models to C that share one arena, of which one runs at a time, and makes a library of them.

A firmware depends on the pool instead of on its models: include `"<name>.h"`, which is the pool's manual, and call each model's
`<model>_run(<name>_arena)`, in any order. What a model keeps from run to run (`state`) has bytes that no other touches; all else
shares its bytes with the other models, so that the arena is as large as all that stays and what the hungriest model needs beside it.
A model's inputs are written just before its run, and its outputs read before another model's inputs are written. Constants that two
models or more read, as equal bytes, are stored once.

Buffers of the firmware's own may lie in the arena too, as arrays of C: `buffers` for what stays whatever runs, `scratch` for what is
needed between runs alone and costs nothing beside a model that needs more.

Output groups: `plan` and `program` (the compiler's levels as MLIR text, one file a model), `c` (the generated sources) and `report`
(the memory reports of the pool and its models).""",
    attrs = {
        "models": attr.label_list(
            doc = "The models: `stowage_model` targets. Each is planned anew in the pool, with what its own attributes say.",
            providers = [StowageModelInfo],
            mandatory = True,
            allow_empty = False,
        ),
        "buffers": attr.string_dict(
            doc = """The firmware's own arrays that stay while models run, for instance `{\"audio\": \"int16_t[16000]\"}`: names of
lower case and types of C with a number of elements. `<name>_buffer_audio(arena)` points at one.""",
        ),
        "scratch": attr.string_dict(
            doc = """Arrays, as `buffers`, that the firmware uses between runs: they share no byte with any input, output or state, but
each run of any model uses them up.""",
        ),
        "_board": attr.label(default = "//tools/rules:board", providers = [BoardInfo]),
        "_compiler": attr.label(default = "//compiler/stowage:compiler", executable = True, cfg = "exec"),
        "_runtime": attr.label(default = "//runtime", providers = [CcInfo]),
    },
    provides = [CcInfo, StowagePoolInfo],
    toolchains = use_cc_toolchain(),
    fragments = ["cpp"],
)
