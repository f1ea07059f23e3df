# SPDX-License-Identifier: Apache-2.0
"""qemu_repository: QEMU's emulator of Arm systems, with every library that it loads."""

load("//third_party/debian:packages.bzl", "VARIABLE", "find_mirror", "unpack_packages", "wrap_program")

def _qemu_repository_impl(rctx):
    mirror = find_mirror(rctx)
    if not mirror:
        fail("QEMU comes out of Debian's packages, and this machine's apt names no Debian archive: " +
             "set %s to the URL of one" % VARIABLE)
    unpack_packages(rctx, mirror, rctx.attr._packages)
    wrap_program(rctx, "usr/bin/qemu-system-arm")
    rctx.symlink(rctx.attr._build_file, "BUILD.bazel")

qemu_repository = repository_rule(
    implementation = _qemu_repository_impl,
    doc = "Unpacks QEMU, with every archive checked by SHA-256.",
    attrs = {
        "_build_file": attr.label(default = "//third_party/qemu:qemu.BUILD"),
        "_packages": attr.label(default = "//third_party/qemu:packages.json"),
    },
    environ = [VARIABLE],
)
