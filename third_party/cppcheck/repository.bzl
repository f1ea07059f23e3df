# SPDX-License-Identifier: Apache-2.0
"""cppcheck_repository: the checker of C sources, with its addon for MISRA C and every library that it loads."""

load("//third_party/debian:packages.bzl", "VARIABLE", "find_mirror", "unpack_packages", "wrap_program")

def _cppcheck_repository_impl(rctx):
    mirror = find_mirror(rctx)
    if not mirror:
        fail("cppcheck comes out of Debian's packages, and this machine's apt names no Debian archive: " +
             "set %s to the URL of one" % VARIABLE)
    unpack_packages(rctx, mirror, rctx.attr._packages)
    wrap_program(rctx, "usr/bin/cppcheck")

    # It looks for its description of the C library beside the program.
    rctx.symlink("usr/lib/x86_64-linux-gnu/cppcheck/cfg", "usr/bin/cfg")
    rctx.symlink(rctx.attr._build_file, "BUILD.bazel")

cppcheck_repository = repository_rule(
    implementation = _cppcheck_repository_impl,
    doc = "Unpacks cppcheck, with every archive checked by SHA-256.",
    attrs = {
        "_build_file": attr.label(default = "//third_party/cppcheck:cppcheck.BUILD"),
        "_packages": attr.label(default = "//third_party/cppcheck:packages.json"),
    },
    environ = [VARIABLE],
)
