# SPDX-License-Identifier: Apache-2.0
"""hal_conformance_test: one suite that every board's HAL has to pass."""

load("@pip//:requirements.bzl", "requirement")
load("//tools/dev:pytest.bzl", "pytest_test")
load("//tools/rules/private:board_image.bzl", "board_image")

_TEST = "//hal/conformance:conformance_test.py"

def _image(name, board, library, port):
    board_image(
        name = name,
        testonly = True,
        board = board,
        port = port,
        deps = [Label("//hal/conformance:" + library)],
    )
    return name

def hal_conformance_test(name, board, core, emulates_console = True, reserves_null = False, has_dma = False):
    """Runs the conformance suite for a board in the emulator, or on the host.

    Args:
      name: the name of the test
      board: the board, a `stowage_board` of the same package
      core: its processor core
      emulates_console: whether the emulator has the UART that the device's console is
      reserves_null: whether what lies at address 0 is somebody else's memory
      has_dma: whether the board has DMA controllers
    """
    images = {"SUITE": _image(name + "_suite", board, "suite", "emulated")}
    if core != "host":
        images["DEVICE_SUITE"] = _image(name + "_device_suite", board, "suite", "device")
        images["MISDEEDS"] = _image(name + "_misdeeds", board, "misdeeds", "emulated")
    native.filegroup(
        name = name + "_execution",
        testonly = True,
        srcs = [board + ".board"],
        output_group = "execution",
    )
    files = images | {"EXECUTION": name + "_execution", "QEMU": str(Label("//tools/qemu:qemu_system_arm"))}
    pytest_test(
        name = name,
        size = "medium",
        srcs = [_TEST],
        data = files.values(),
        env = {key: "$(rootpath %s)" % target for key, target in files.items()} | {
            "CORE": core,
            "EMULATES_CONSOLE": "1" if emulates_console else "",
            "HAS_DMA": "1" if has_dma else "",
            "RESERVES_NULL": "1" if reserves_null else "",
        },
        deps = [
            Label("//tools/qemu:device_run"),
            Label("//tools/qemu:run"),
            requirement("pyelftools"),
        ],
    )
