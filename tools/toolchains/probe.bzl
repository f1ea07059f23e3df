# SPDX-License-Identifier: Apache-2.0
"""probe: a small image for one core, for the tests of the toolchains."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library")
load(":on_platform.bzl", "on_platform")

def probe(name, core):
    """Declares a target of the image, `<name>.elf`, and of its archive, `lib<name>_library.lo`.

    Args:
      name: the name of the target
      core: a constraint value of //tools/toolchains:core
    """
    native.platform(
        name = name + "_platform",
        constraint_values = [
            "@platforms//os:none",
            core,
        ],
    )
    cc_library(
        name = name + "_library",
        srcs = ["probe.c"],
        local_defines = ["PROBE_CORE=\\\"%s\\\"" % core],
        tags = ["manual"],
        target_compatible_with = [core],
        alwayslink = True,
    )
    cc_binary(
        name = name + ".elf",
        additional_linker_inputs = ["probe.ld"],
        linkopts = ["-T", "$(location probe.ld)"],
        tags = ["manual"],
        target_compatible_with = [core],
        deps = [name + "_library"],
    )
    on_platform(
        name = name,
        platform = name + "_platform",
        targets = [
            name + ".elf",
            name + "_library",
        ],
    )
