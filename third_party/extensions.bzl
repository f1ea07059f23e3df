# SPDX-License-Identifier: Apache-2.0
"""The module extension that makes the repositories of the toolchains."""

load(":repositories.bzl", "stowage_toolchains")

toolchains = module_extension(
    implementation = lambda _mctx: stowage_toolchains(),
    doc = "The repositories @arm_none_eabi, @chromium, @cppcheck, @host_cc and @qemu.",
)
