# SPDX-License-Identifier: Apache-2.0
"""The image that tries a model out: reads vectors, runs the model, writes outputs and tells what it measured."""

load("@rules_cc//cc:defs.bzl", "CcInfo")
load(":c_toolchain.bzl", "compile_sources", "link_image")

# Attributes that a rule needs to build trial images.
TRIAL_ATTRS = {
    "_trial": attr.label(default = "//tools/trial:model_trial.c", allow_single_file = True),
    "_trial_headers": attr.label(default = "//tools/trial:headers", allow_files = [".h"]),
    "_hal": attr.label(default = "//hal", providers = [CcInfo]),
    "_emulated_port": attr.label(default = "//hal:emulated_port", providers = [CcInfo]),
    "_runtime": attr.label(default = "//runtime", providers = [CcInfo]),
    "_dma": attr.label(default = "//hal:dma", providers = [CcInfo]),
    "_late_dma": attr.label(default = "//hal/dma:late", providers = [CcInfo]),
    "_guard": attr.label(default = "//hal:guard", providers = [CcInfo]),
    "_watch": attr.label(default = "//runtime:core/poison.c", allow_single_file = True),
}

_HEADER = """\
#include "{header}"
#define STW_TRIAL_MODEL {name}_model
#define STW_TRIAL_RUN(arena) {run}
#ifdef {upper}_HAS_STATE
#define STW_TRIAL_RESET(arena) {name}_reset(arena)
#else
#define STW_TRIAL_RESET(arena) ((void)(arena), STW_OK)
#endif
#define STW_TRIAL_ARENA {arena}
#define STW_TRIAL_ARENA_BYTES {upper}_ARENA_BYTES
#define STW_TRIAL_ARENA_ALIGNMENT_BYTES {upper}_ARENA_ALIGNMENT_BYTES
#define STW_TRIAL_FURTHER {further}
"""

# Cores without a memory protection unit.
_UNPROTECTED = ["cortex_m0", "host"]

def trial_image(ctx, model, board, poison = False, guard = False):
    """Builds the trial image of a model.

    Args:
      ctx: the context of a rule that has TRIAL_ATTRS
      model: StowageModelInfo
      board: BoardInfo of the current configuration
      poison: whether the model watches its own plan while it runs
      guard: whether the memory protection unit keeps it to its arena and stack while it runs

    Returns:
      the ELF File
    """
    if model.stream_input:
        fail("{}: {} has stream_input, and a trial has its inputs whole; test a model without it, whose outputs are the same".format(ctx.label, model.name))
    if guard and board.core in _UNPROTECTED:
        fail("{}: board {} has no memory protection unit to guard a run with; leave out guard".format(ctx.label, board.name))
    if guard and model.prefetch:
        fail("{}: {} has prefetch, and under guard no run reaches a DMA controller; leave out guard".format(ctx.label, model.name))
    if guard and model.arenas:
        fail("{}: {} has arenas in several regions, and guard opens one alone; leave out guard".format(ctx.label, model.name))
    name = "{}.{}".format(ctx.label.name, model.name)
    header = ctx.actions.declare_file("{}.trial/trial_model.h".format(name))
    ctx.actions.write(header, _HEADER.format(
        name = model.name,
        upper = model.name.upper(),
        header = model.header,
        run = model.run.format("arena"),
        arena = model.arena,
        further = "{" + ", ".join(["{}_arena_{}".format(model.name, each) for each in model.arenas] or ["NULL"]) + "}",
    ))
    libraries = [dep[CcInfo] for dep in [ctx.attr._hal, ctx.attr._emulated_port, ctx.attr._runtime]]
    if model.prefetch:
        libraries.append((ctx.attr._late_dma if poison else ctx.attr._dma)[CcInfo])
    if guard:
        libraries.append(ctx.attr._guard[CcInfo])
    sources = [ctx.file._trial]
    if model.library and not poison:
        libraries.append(model.library)
    else:
        sources += model.sources
    if poison:
        # Last: under guard its notes are writable to the next multiple of 32 bytes, where nothing else may lie.
        sources.append(ctx.file._watch)
    objects = compile_sources(
        ctx,
        name = name + ".trial",
        sources = sources,
        headers = [header] + model.headers + ctx.files._trial_headers,
        includes = [header.dirname, model.include],
        defines = (["STW_POISON"] if poison else []) + (["STW_GUARD"] if guard else []),
        deps = libraries,
    )
    return link_image(ctx, name + ".trial.elf", [objects] + libraries, board)
