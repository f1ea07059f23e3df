# SPDX-License-Identifier: Apache-2.0
"""refusal_test: a target that makes no sense fails the build before anything is built, and says why."""

load("@bazel_skylib//lib:unittest.bzl", "analysistest", "asserts")

def _refusal_impl(ctx):
    env = analysistest.begin(ctx)
    asserts.expect_failure(env, ctx.attr.sentence)
    return analysistest.end(env)

refusal_test = analysistest.make(
    _refusal_impl,
    doc = "The target under test fails with this sentence.",
    attrs = {"sentence": attr.string(doc = "A part of what is said.")},
    expect_failure = True,
)
