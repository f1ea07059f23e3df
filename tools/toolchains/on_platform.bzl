# SPDX-License-Identifier: Apache-2.0
"""on_platform: files of a target, built for another platform than the rest of the build."""

def _platform_transition_impl(_settings, attr):
    return {"//command_line_option:platforms": str(attr.platform)}

_platform_transition = transition(
    implementation = _platform_transition_impl,
    inputs = [],
    outputs = ["//command_line_option:platforms"],
)

def _on_platform_impl(ctx):
    files = depset(transitive = [target[DefaultInfo].files for target in ctx.attr.targets])
    return [DefaultInfo(
        files = files,
        runfiles = ctx.runfiles(transitive_files = files),
    )]

on_platform = rule(
    implementation = _on_platform_impl,
    doc = "The files of the targets, built for a platform, so that a test on the host can look at them.",
    attrs = {
        "platform": attr.label(
            doc = "the platform",
            mandatory = True,
        ),
        "targets": attr.label_list(
            doc = "what to build for it",
            cfg = _platform_transition,
            mandatory = True,
        ),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)
