# SPDX-License-Identifier: Apache-2.0
"""The C toolchain of the board that is built for, as the rules use it: compile our sources, link an image."""

load("@rules_cc//cc:defs.bzl", "CcInfo", "cc_common")
load("@rules_cc//cc:find_cc_toolchain.bzl", "find_cc_toolchain")

def _features(ctx, toolchain):
    return cc_common.configure_features(
        ctx = ctx,
        cc_toolchain = toolchain,
        requested_features = ctx.features,
        unsupported_features = ctx.disabled_features,
    )

def compile_sources(ctx, name, sources, deps, headers = [], includes = [], defines = []):
    """Compiles C sources.

    Args:
      ctx: the rule's context; its toolchains hold the one for C
      name: a name for the objects, unique in the target
      sources: C files
      deps: CcInfos whose headers the sources include
      headers: headers of the sources' own, which whoever depends on them may include too
      includes: folders of these headers
      defines: macros for these sources alone

    Returns:
      a CcInfo with the objects and headers of the sources and of the deps
    """
    toolchain = find_cc_toolchain(ctx)
    features = _features(ctx, toolchain)
    compilation, objects = cc_common.compile(
        name = name,
        actions = ctx.actions,
        feature_configuration = features,
        cc_toolchain = toolchain,
        srcs = sources,
        public_hdrs = headers,
        quote_includes = includes,
        local_defines = defines,
        compilation_contexts = [dep.compilation_context for dep in deps],
    )
    linking, _ = cc_common.create_linking_context_from_compilation_outputs(
        name = name,
        actions = ctx.actions,
        feature_configuration = features,
        cc_toolchain = toolchain,
        compilation_outputs = objects,
        linking_contexts = [dep.linking_context for dep in deps],
        disallow_dynamic_library = True,
        alwayslink = True,
    )
    return CcInfo(compilation_context = compilation, linking_context = linking)

def link_image(ctx, name, deps, board, stack_bytes = 0, map = None):
    """Links an executable for a board.

    Args:
      ctx: the rule's context
      name: the file's name
      deps: CcInfos of all that is in the image
      board: the BoardInfo; its linker script places the sections
      stack_bytes: size of the stack, 0 for the board's own
      map: where the linker writes its map, if anywhere

    Returns:
      the ELF File
    """
    toolchain = find_cc_toolchain(ctx)
    flags, inputs = [], []
    if board.core != "host":
        flags = ["-T", board.linker_script.path]
        inputs = [board.linker_script]
        if stack_bytes:
            flags.append("-Wl,--defsym=__stw_stack_bytes={}".format(stack_bytes))
        if map:
            flags.append("-Wl,-Map=" + map.path)
    linked = cc_common.link(
        name = name,
        actions = ctx.actions,
        feature_configuration = _features(ctx, toolchain),
        cc_toolchain = toolchain,
        linking_contexts = [dep.linking_context for dep in deps],
        user_link_flags = flags,
        additional_inputs = inputs,
        additional_outputs = [map] if map and board.core != "host" else [],
        stamp = 0,
    )
    return linked.executable
