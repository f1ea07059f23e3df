# SPDX-License-Identifier: Apache-2.0
"""qemu_toolchain: a toolchain of type //tools/qemu:toolchain_type."""

load(":qemu_info.bzl", "QemuInfo")

def _qemu_toolchain_impl(ctx):
    return [platform_common.ToolchainInfo(qemu = QemuInfo(
        executable = ctx.file.executable,
        files = depset(ctx.files.files),
    ))]

qemu_toolchain = rule(
    implementation = _qemu_toolchain_impl,
    doc = "Names an emulator; its ToolchainInfo has it in the field `qemu`, a QemuInfo.",
    attrs = {
        "executable": attr.label(
            doc = "qemu-system-arm",
            allow_single_file = True,
            cfg = "exec",
            mandatory = True,
        ),
        "files": attr.label(
            doc = "everything that it needs to run",
            cfg = "exec",
            mandatory = True,
        ),
    },
)
