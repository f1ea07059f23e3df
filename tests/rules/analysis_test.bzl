# SPDX-License-Identifier: Apache-2.0
"""Tests of what the rules declare, before anything is built."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")

def _output_groups_impl(ctx):
    env = analysistest.begin(ctx)
    groups = analysistest.target_under_test(env)[OutputGroupInfo]
    found = {name: [file.basename for file in getattr(groups, name).to_list()] for name in ctx.attr.groups if hasattr(groups, name)}
    asserts.equals(env, ctx.attr.groups, found)
    for name in ctx.attr.absent:
        asserts.false(env, hasattr(groups, name), "there is an output group " + name)
    return analysistest.end(env)

output_groups_test = analysistest.make(
    _output_groups_impl,
    doc = "A target has output groups with exactly these files.",
    attrs = {
        "groups": attr.string_list_dict(doc = "File names of each group."),
        "absent": attr.string_list(doc = "Groups that there must not be."),
    },
)

def _actions_impl(ctx):
    env = analysistest.begin(ctx)
    actions = [action for action in analysistest.target_actions(env) if action.mnemonic.startswith("Stowage")]
    asserts.equals(env, ctx.attr.mnemonics, sorted([action.mnemonic for action in actions]))
    for action in actions:
        for argument in action.argv:
            is_absolute = argument.startswith("/") and not argument.startswith("//")
            asserts.false(env, is_absolute, "{} is given {}".format(action.mnemonic, argument))
    return analysistest.end(env)

actions_test = analysistest.make(
    _actions_impl,
    doc = "A target's own actions are these, and none is given an absolute path.",
    attrs = {"mnemonics": attr.string_list(doc = "The actions' mnemonics, sorted.")},
)
