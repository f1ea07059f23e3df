# SPDX-License-Identifier: Apache-2.0
"""arm_none_eabi_repository: GCC 12.2.rel1 for bare-metal Arm, and its binary tools.

Where the machine uses a Debian archive, Debian's packages of that release are unpacked, with every library that they
load. Elsewhere it is Arm's own archive of the same release, which runs on the machine's C library. Both have the
same layout as far as arm_none_eabi.BUILD names it.
"""

load("//third_party/debian:packages.bzl", "VARIABLE", "find_mirror", "unpack_packages", "wrap_program")

_ARMS_ARCHIVE = struct(
    url = "https://developer.arm.com/-/media/Files/downloads/gnu/12.2.rel1/binrel/arm-gnu-toolchain-12.2.rel1-x86_64-arm-none-eabi.tar.xz",
    sha256 = "84be93d0f9e96a15addd490b6e237f588c641c8afdf90e7610a628007fc96867",
    strip_prefix = "arm-gnu-toolchain-12.2.rel1-x86_64-arm-none-eabi",
)

# What a build starts, and what these start in turn.
_PROGRAMS = ["usr/bin/arm-none-eabi-" + tool for tool in [
    "ar",
    "gcc",
    "nm",
    "objcopy",
    "objdump",
    "readelf",
    "size",
    "strip",
]] + [
    "usr/lib/arm-none-eabi/bin/as",
    "usr/lib/arm-none-eabi/bin/ld",
    "usr/lib/gcc/arm-none-eabi/12.2.1/cc1",
    "usr/lib/gcc/arm-none-eabi/12.2.1/collect2",
]

def _arm_none_eabi_repository_impl(rctx):
    mirror = find_mirror(rctx)
    if mirror:
        unpack_packages(rctx, mirror, rctx.attr._packages)
        for program in _PROGRAMS:
            wrap_program(rctx, program)
    else:
        rctx.download_and_extract(
            url = _ARMS_ARCHIVE.url,
            sha256 = _ARMS_ARCHIVE.sha256,
            stripPrefix = _ARMS_ARCHIVE.strip_prefix,
            output = "usr",
        )
    rctx.symlink(rctx.attr._build_file, "BUILD.bazel")

arm_none_eabi_repository = repository_rule(
    implementation = _arm_none_eabi_repository_impl,
    doc = "Unpacks the Arm compiler, with every archive checked by SHA-256.",
    attrs = {
        "_build_file": attr.label(default = "//third_party/arm_none_eabi:arm_none_eabi.BUILD"),
        "_packages": attr.label(default = "//third_party/arm_none_eabi:packages.json"),
    },
    environ = [VARIABLE],
)
