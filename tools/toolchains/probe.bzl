# SPDX-License-Identifier: Apache-2.0
"""probe: a small image for one core, for the tests of the toolchains."""

load("@rules_cc//cc:defs.bzl", "cc_binary", "cc_library")
load(":on_platform.bzl", "on_platform")

def probe(core):
    """Declares `<core>_probe`: the files <core>_probe.elf and lib<core>_probe_library.a.

    Args:
      core: a constraint value of //tools/toolchains:core
    """
    native.platform(
        name = core + "_probe_platform",
        constraint_values = [
            "@platforms//os:none",
            core,
        ],
    )
    cc_library(
        name = core + "_probe_library",
        srcs = ["probe.c"],
        local_defines = ["PROBE_CORE=\\\"%s\\\"" % core],
        tags = ["manual"],
        target_compatible_with = [core],
        alwayslink = True,
    )
    cc_binary(
        name = core + "_probe.elf",
        additional_linker_inputs = ["probe.ld"],
        linkopts = ["-T", "$(location probe.ld)"],
        tags = ["manual"],
        target_compatible_with = [core],
        deps = [core + "_probe_library"],
    )
    on_platform(
        name = core + "_probe",
        platform = core + "_probe_platform",
        targets = [
            core + "_probe.elf",
            core + "_probe_library",
        ],
    )
