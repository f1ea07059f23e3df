# SPDX-License-Identifier: Apache-2.0
"""conformance_tests: ONNX's backend tests, compiled for the host and a board, and run on both."""

load("@pip//:requirements.bzl", "requirement")
load("@rules_cc//cc:defs.bzl", "cc_library")
load("//tools/dev:pytest.bzl", "pytest_test")
load("//tools/rules/private:board_image.bzl", "board_image")

_HOST = "host"

def _sources(board, groups):
    """The C and the arrays of every group, and what became of every case, in the folder `<board>/`."""
    files = ["{}/{}.{}".format(board, group, suffix) for group in range(groups) for suffix in ["c", "npz"]]
    native.genrule(
        name = board + "_cases",
        outs = [board + "/verdicts.jsonl"] + files,
        cmd = "$(execpath :generate) {board} --groups {groups} --out $(RULEDIR)/{board}".format(
            board = board,
            groups = groups,
        ),
        # What compiles is a page of the documents.
        visibility = ["//docs:__pkg__"],
        message = "Stowing ONNX's backend tests for " + board,
        tools = [":generate"],
    )
    native.filegroup(
        name = board + "_execution",
        testonly = True,
        srcs = ["//boards/{board}:{board}.board".format(board = board)],
        output_group = "execution",
    )

def _image(board, group):
    """The image of a group's models; on the host under the sanitizers."""
    name = "{}_{}".format(board, group)
    is_host = board == _HOST
    features = ["sanitizers"] if is_host else []
    cc_library(
        name = name + "_models",
        testonly = True,
        srcs = [
            "image.c",
            "image.h",
            "{}/{}.c".format(board, group),
        ],
        # Half the time that sanitized code takes otherwise, with lines in the sanitizers' findings all the same.
        copts = ["-O1", "-g1"] if is_host else [],
        features = features,
        tags = ["manual"],
        deps = [
            "//hal:headers",
            "//runtime",
        ],
        alwayslink = True,
    )
    board_image(
        name = name,
        testonly = True,
        board = "//boards/" + board,
        features = features,
        port = "emulated",
        tags = ["manual"],
        deps = [name + "_models"],
    )

def _group_test(board, group, groups):
    """The test of a group of cases."""
    files = {"QEMU": "//tools/qemu:qemu_system_arm"}
    for place, where in {"HOST": _HOST, "BOARD": board}.items():
        files |= {
            place + "_DATA": "{}/{}.npz".format(where, group),
            place + "_EXECUTION": where + "_execution",
            place + "_IMAGE": "{}_{}".format(where, group),
            place + "_VERDICTS": where + "/verdicts.jsonl",
        }
    pytest_test(
        name = "conformance_{}_test".format(group),
        size = "medium",
        srcs = ["conformance_test.py"],
        data = files.values(),
        env = {key: "$(rootpath %s)" % file for key, file in files.items()} | {
            "GROUP": str(group),
            "GROUPS": str(groups),
        },
        deps = [
            ":running",
            requirement("numpy"),
        ],
    )

def conformance_tests(board, groups):
    """Declares a test for each group of cases.

    Args:
      board: the name of the emulated board
      groups: how many images and tests share the cases
    """
    for where in [_HOST, board]:
        _sources(where, groups)
        for group in range(groups):
            _image(where, group)
    for group in range(groups):
        _group_test(board, group, groups)
