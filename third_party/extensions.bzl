# SPDX-License-Identifier: Apache-2.0
"""The module extension that makes the repositories of the toolchains."""

load("//third_party/arm_none_eabi:repository.bzl", "arm_none_eabi_repository")
load("//third_party/qemu:repository.bzl", "qemu_repository")
load("//tools/toolchains/host:host_cc_repository.bzl", "host_cc_repository")

def _toolchains_impl(_mctx):
    arm_none_eabi_repository(name = "arm_none_eabi")
    qemu_repository(name = "qemu")
    host_cc_repository(name = "host_cc")

toolchains = module_extension(
    implementation = _toolchains_impl,
    doc = "The repositories @arm_none_eabi, @host_cc and @qemu.",
)
