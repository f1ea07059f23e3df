# SPDX-License-Identifier: Apache-2.0
"""chromium_repository: a browser without a window, with every library that it loads and a font."""

load("//third_party/debian:packages.bzl", "VARIABLE", "find_mirror", "unpack_packages", "wrap_program")

_HOME = "usr/lib/chromium"
_LIBRARIES = "usr/lib/x86_64-linux-gnu"

def _chromium_repository_impl(rctx):
    mirror = find_mirror(rctx)
    if not mirror:
        fail("Chromium comes out of Debian's packages, and this machine's apt names no Debian archive: " +
             "set %s to the URL of one" % VARIABLE)
    unpack_packages(rctx, mirror, rctx.attr._packages)
    wrap_program(rctx, _HOME + "/chromium-headless-shell")
    for library in rctx.path(_LIBRARIES + "/pulseaudio").readdir():
        rctx.symlink(library, "%s/%s" % (_LIBRARIES, library.basename))

    # It looks for its data beside the program that runs, which is the loader.
    for file in rctx.path(_HOME).readdir():
        if file.basename.endswith((".bin", ".dat", ".pak")):
            rctx.symlink(file, "lib/x86_64-linux-gnu/" + file.basename)
    rctx.symlink(rctx.attr._build_file, "BUILD.bazel")

chromium_repository = repository_rule(
    implementation = _chromium_repository_impl,
    doc = "Unpacks Chromium's headless shell, with every archive checked by SHA-256.",
    attrs = {
        "_build_file": attr.label(default = "//third_party/chromium:chromium.BUILD"),
        "_packages": attr.label(default = "//third_party/chromium:packages.json"),
    },
    environ = [VARIABLE],
)
