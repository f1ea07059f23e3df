# SPDX-License-Identifier: Apache-2.0
"""The module extension that makes the repositories of the toolchains."""

load("//third_party/arm_none_eabi:repository.bzl", "arm_none_eabi_repository")
load("//third_party/qemu:repository.bzl", "qemu_repository")

def _toolchains_impl(_mctx):
    arm_none_eabi_repository(name = "arm_none_eabi")
    qemu_repository(name = "qemu")

toolchains = module_extension(
    implementation = _toolchains_impl,
    doc = "The repositories @arm_none_eabi and @qemu.",
)
