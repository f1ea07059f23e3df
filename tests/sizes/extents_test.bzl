# SPDX-License-Identifier: Apache-2.0
"""extents_test: the rules read extents as the compiler does, and leave to it what it refuses."""

load("@bazel_skylib//lib:unittest.bzl", "asserts", "unittest")
load("//tools/rules/private:extents.bzl", "sizes")

# By what a BUILD file says: the extents, none where there is one size or where the compiler refuses.
_EXTENTS = {
    "10": [],
    "10,20,50": [10, 20, 50],
    "10..13": [10, 11, 12, 13],
    "16..64/16": [16, 32, 48, 64],
    "1,16..64/16": [1, 16, 32, 48, 64],
    "1..64": range(1, 65),
    "1..65": [],
    "1..100000000": [],
    "8,4..12/4": [],
    "8..18/4": [],
    "20..10": [],
    "10..10": [],
    "0..3": [],
    "1/2": [],
    "1,": [],
    "1..": [],
    "1..3/": [],
    "1 ,2": [],
    "a,b": [],
    "": [],
}

def _extents_test_impl(ctx):
    env = unittest.begin(ctx)
    for text, extents in _EXTENTS.items():
        wanted = [{"frames": extent} for extent in extents] or [{}]
        asserts.equals(env, wanted, sizes({"batch": "1", "frames": text}), text)
    asserts.equals(
        env,
        [{"b": 1, "a": 3}, {"b": 1, "a": 5}, {"b": 2, "a": 3}, {"b": 2, "a": 5}],
        sizes({"b": "1,2", "a": "3,5"}),
    )
    asserts.equals(env, 64, len(sizes({"a": "1..8", "b": "1..8"})))
    asserts.equals(env, [{}], sizes({"a": "1..13", "b": "1..5"}))
    return unittest.end(env)

extents_test = unittest.make(_extents_test_impl)
