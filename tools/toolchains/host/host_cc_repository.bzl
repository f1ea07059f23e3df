# SPDX-License-Identifier: Apache-2.0
"""host_cc_repository: what there is to know about the host's C compiler, found out once."""

# Where strict actions look for programs too.
_PATH = ["/bin", "/usr/bin", "/usr/local/bin"]

def _find(rctx, names):
    for name in names:
        for folder in _PATH:
            if rctx.path(folder + "/" + name).exists:
                return folder + "/" + name
    fail("no %s in %s: install a C compiler" % (" or ".join(names), " or ".join(_PATH)))

def _include_folders(rctx, compiler):
    """The folders that the compiler searches for headers by itself, out of what it says when it is verbose."""
    result = rctx.execute([compiler, "-E", "-v", "-x", "c", "/dev/null"], environment = {"LC_ALL": "C"})
    listed = result.stderr.partition("#include <...> search starts here:\n")[2].partition("End of search list.")[0]
    return [str(rctx.path(line.strip())) for line in listed.splitlines()]

def _host_cc_repository_impl(rctx):
    compiler = _find(rctx, ["gcc", "clang", "cc"])
    rctx.file("BUILD.bazel")
    rctx.file("host_cc.bzl", "\n".join([
        "HOST_CC = " + json.encode(compiler),
        "HOST_AR = " + json.encode(_find(rctx, ["ar", "llvm-ar"])),
        "HOST_STRIP = " + json.encode(_find(rctx, ["strip", "llvm-strip"])),
        "HOST_INCLUDE_FOLDERS = " + json.encode(_include_folders(rctx, compiler)),
        "",
    ]))

host_cc_repository = repository_rule(
    implementation = _host_cc_repository_impl,
    doc = "A repository with host_cc.bzl: HOST_CC, HOST_AR, HOST_STRIP (paths) and HOST_INCLUDE_FOLDERS.",
    configure = True,
    local = True,
)
