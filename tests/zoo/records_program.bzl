# SPDX-License-Identifier: Apache-2.0
"""The rules `zoo_test` and `zoo_command`: a program is called with the records of runs."""

load("//tools/rules/private:launcher.bzl", "launcher")

def _impl(ctx):
    files = ctx.files.records + ctx.files.data
    return [launcher(ctx, ctx.attr.program, ctx.attr.words + files, files)]

_ATTRS = {
    "program": attr.label(doc = "The program.", mandatory = True, executable = True, cfg = "target"),
    "records": attr.label_list(doc = "The records, its arguments.", allow_files = [".json"]),
    "words": attr.string_list(doc = "Arguments before the records."),
    "data": attr.label_list(doc = "Further files, arguments after the records.", allow_files = True),
}

zoo_test = rule(
    implementation = _impl,
    doc = "Passes where the program exits with 0.",
    attrs = _ATTRS,
    test = True,
)

zoo_command = rule(
    implementation = _impl,
    doc = "For `bazel run`.",
    attrs = _ATTRS,
    executable = True,
)
