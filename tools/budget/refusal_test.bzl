# SPDX-License-Identifier: Apache-2.0
"""budget_refusal_test: a stowage_budget_test that could not fail, or has nothing to measure, fails the build."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")

def _budget_refusal_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, ctx.attr.sentence)
    return analysistest.end(env)

budget_refusal_test = analysistest.make(
    _budget_refusal_impl,
    doc = "The target under test fails with this sentence.",
    attrs = {"sentence": attr.string(doc = "A part of what is said.")},
    expect_failure = True,
)
