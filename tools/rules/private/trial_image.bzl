# SPDX-License-Identifier: Apache-2.0
"""The image that tries a model out: reads vectors, runs the model, writes outputs and tells what it measured."""

load("@rules_cc//cc:defs.bzl", "CcInfo")
load(":c_toolchain.bzl", "compile_sources", "link_image")

# Attributes that a rule needs to build trial images.
TRIAL_ATTRS = {
    "_trial": attr.label(default = "//tools/trial:model_trial.c", allow_single_file = True),
    "_hal": attr.label(default = "//hal", providers = [CcInfo]),
    "_emulated_port": attr.label(default = "//hal:emulated_port", providers = [CcInfo]),
    "_runtime": attr.label(default = "//runtime", providers = [CcInfo]),
    "_watch": attr.label(default = "//runtime:poison", providers = [CcInfo]),
}

_HEADER = """\
#include "{header}"
#define STW_TRIAL_MODEL {name}_model
#define STW_TRIAL_RUN {name}_run
#ifdef {upper}_HAS_STATE
#define STW_TRIAL_RESET(arena) {name}_reset(arena)
#else
#define STW_TRIAL_RESET(arena) ((void)(arena), STW_OK)
#endif
#define STW_TRIAL_ARENA {arena}
#define STW_TRIAL_ARENA_BYTES {upper}_ARENA_BYTES
"""

def trial_image(ctx, model, board, poison = False):
    """Builds the trial image of a model.

    Args:
      ctx: the context of a rule that has TRIAL_ATTRS
      model: StowageModelInfo
      board: BoardInfo of the current configuration
      poison: whether the model watches its own plan while it runs

    Returns:
      the ELF File
    """
    name = "{}.{}".format(ctx.label.name, model.name)
    header = ctx.actions.declare_file("{}.trial/trial_model.h".format(name))
    ctx.actions.write(header, _HEADER.format(
        name = model.name,
        upper = model.name.upper(),
        header = model.header,
        arena = model.arena,
    ))
    libraries = [dep[CcInfo] for dep in [ctx.attr._hal, ctx.attr._emulated_port, ctx.attr._runtime, ctx.attr._watch]]
    objects = compile_sources(
        ctx,
        name = name + ".trial",
        sources = [ctx.file._trial] + model.sources,
        headers = [header] + model.headers,
        includes = [header.dirname, model.include],
        defines = ["STW_POISON"] if poison else [],
        deps = libraries,
    )
    return link_image(ctx, name + ".trial.elf", [objects] + libraries, board)
