# SPDX-License-Identifier: Apache-2.0
"""binutils_toolchain: a toolchain of type //tools/toolchains:binutils_toolchain_type."""

load(":binutils_info.bzl", "BinutilsInfo")

def _binutils_toolchain_impl(ctx):
    return [platform_common.ToolchainInfo(binutils = BinutilsInfo(
        files = depset(ctx.files.files),
        nm = ctx.file.nm,
        objcopy = ctx.file.objcopy,
        objdump = ctx.file.objdump,
        readelf = ctx.file.readelf,
        size = ctx.file.size,
    ))]

def _program(doc):
    return attr.label(
        doc = doc,
        allow_single_file = True,
        cfg = "exec",
        mandatory = True,
    )

binutils_toolchain = rule(
    implementation = _binutils_toolchain_impl,
    doc = "Names the binary tools; its ToolchainInfo has them in the field `binutils`, a BinutilsInfo.",
    attrs = {
        "files": attr.label(
            doc = "everything that the programs need to run",
            cfg = "exec",
            mandatory = True,
        ),
        "nm": _program("lists symbols"),
        "objcopy": _program("turns an ELF into Intel HEX or a binary"),
        "objdump": _program("disassembles"),
        "readelf": _program("shows headers and sections"),
        "size": _program("sums sections up"),
    },
)
