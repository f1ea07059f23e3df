# SPDX-License-Identifier: Apache-2.0
"""binutils_program: one program of the binary tools, for the data of a test."""

_TOOLCHAIN_TYPE = "//tools/toolchains:binutils_toolchain_type"

def _binutils_program_impl(ctx):
    binutils = ctx.toolchains[_TOOLCHAIN_TYPE].binutils
    return [DefaultInfo(
        files = depset([getattr(binutils, ctx.attr.program)]),
        runfiles = ctx.runfiles(transitive_files = binutils.files),
    )]

binutils_program = rule(
    implementation = _binutils_program_impl,
    doc = "A program of the resolved binary tools with all that it needs to run; `$(rootpath)` of it is the program.",
    attrs = {
        "program": attr.string(
            doc = "a field of BinutilsInfo",
            mandatory = True,
            values = ["nm", "objcopy", "objdump", "readelf", "size"],
        ),
    },
    toolchains = [_TOOLCHAIN_TYPE],
)
