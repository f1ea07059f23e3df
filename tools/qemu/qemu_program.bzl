# SPDX-License-Identifier: Apache-2.0
"""qemu_program: the emulator, for the data of a test."""

_TOOLCHAIN_TYPE = "//tools/qemu:toolchain_type"

def _qemu_program_impl(ctx):
    qemu = ctx.toolchains[_TOOLCHAIN_TYPE].qemu
    return [DefaultInfo(
        files = depset([qemu.executable]),
        runfiles = ctx.runfiles(transitive_files = qemu.files),
    )]

qemu_program = rule(
    implementation = _qemu_program_impl,
    doc = "The resolved emulator with all that it needs to run; `$(rootpath)` of it is the program.",
    toolchains = [_TOOLCHAIN_TYPE],
)
