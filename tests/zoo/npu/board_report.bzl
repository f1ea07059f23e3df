# SPDX-License-Identifier: Apache-2.0
"""The rule `board_report`: the memory report of a model as it is compiled for a board."""

load("//tools/rules/private:board_transition.bzl", "board_transition")
load("//tools/rules/private:model_info.bzl", "StowageModelInfo")

def _board_report_impl(ctx):
    file = ctx.attr.model[StowageModelInfo].memory_json
    return [DefaultInfo(files = depset([file]), runfiles = ctx.runfiles([file]))]

board_report = rule(
    implementation = _board_report_impl,
    doc = "Has the report as JSON for its file.",
    cfg = board_transition,
    attrs = {
        "board": attr.label(doc = "The board: a `stowage_board`.", mandatory = True),
        "model": attr.label(doc = "The model.", mandatory = True, providers = [StowageModelInfo]),
        "_allowlist_function_transition": attr.label(
            default = "@bazel_tools//tools/allowlists/function_transition_allowlist",
        ),
    },
)
