# SPDX-License-Identifier: Apache-2.0
"""npu_conformance_test: what every board with an NPU has to do."""

load("//tools/dev:pytest.bzl", "pytest_test")
load("//tools/rules/private:board_image.bzl", "board_image")

def npu_conformance_test(name, board):
    """Runs models on a board's NPU and on its processor in the emulator, and compares; and streams that are wrong.

    Args:
      name: the name of the test
      board: the board, a `stowage_board` of the same package that has an NPU
    """
    board_image(
        name = name + "_suite",
        testonly = True,
        board = board,
        port = "emulated",
        deps = [Label("//hal/npu/conformance:suite")],
    )
    native.filegroup(
        name = name + "_execution",
        testonly = True,
        srcs = [board + ".board"],
        output_group = "execution",
    )
    files = {
        "EXECUTION": name + "_execution",
        "QEMU": str(Label("//tools/qemu:qemu_system_arm")),
        "SUITE": name + "_suite",
    }
    pytest_test(
        name = name,
        size = "medium",
        srcs = ["//hal/npu/conformance:npu_conformance_test.py"],
        data = files.values(),
        env = {key: "$(rootpath %s)" % target for key, target in files.items()},
        deps = [Label("//tools/qemu:run")],
    )
