# SPDX-License-Identifier: Apache-2.0
"""npu_pairs: models of the zoo that run on an NPU and, in the same image, on the processor."""

load("@rules_cc//cc:defs.bzl", "cc_library")
load("//:defs.bzl", "stowage_model")
load("//tools/dev:pytest.bzl", "pytest_test")
load("//tools/rules/private:board_image.bzl", "board_image")
load(":board_report.bzl", "board_report")

_BOARD = "//boards/mps2_an521_npu"

# Targets are named for these folders of the zoo: MLPerf Tiny's four, and MobileNetV2.
_MODELS = [
    "mbv2_w035_128_int8",
    "mlperf_ad01_int8",
    "mlperf_ic_int8",
    "mlperf_kws_int8",
    "mlperf_vww_int8",
]

def npu_pairs(models):
    """Declares `<model>_test` for each of the models that the zoo has.

    Args:
      models: the names of the files of each model, by the model's name
    """
    for model in _MODELS:
        if "model.onnx" in models.get(model, []):
            _pair(model)

def _pair(model):
    for by in ["npu", "processor"]:
        stowage_model(
            name = "{}_{}".format(model, by),
            testonly = True,
            c_name = "on_" + by,
            model = _file(model, "model.onnx"),
            npu = by == "npu",
            tags = ["manual"],
        )
    cc_library(
        name = model + "_pair",
        testonly = True,
        srcs = ["pair.c"],
        linkopts = ["-Wl,--wrap=stw_hal_npu_run"],
        tags = ["manual"],
        target_compatible_with = ["@platforms//os:none"],
        deps = [
            "//hal:headers",
            "//runtime",
            ":{}_npu".format(model),
            ":{}_processor".format(model),
        ],
        alwayslink = True,
    )
    board_image(
        name = model + "_image",
        testonly = True,
        board = _BOARD,
        port = "emulated",
        tags = ["manual"],
        deps = [":{}_pair".format(model)],
    )
    board_report(
        name = model + "_report",
        testonly = True,
        board = _BOARD,
        model = ":{}_npu".format(model),
        tags = ["manual"],
    )
    files = {
        "EXECUTION": ":execution",
        "INPUTS": _file(model, "input_0.npy"),
        "MEMORY": ":{}_report".format(model),
        "PAIR": ":{}_image".format(model),
        "QEMU": "//tools/qemu:qemu_system_arm",
    }
    pytest_test(
        name = model + "_test",
        size = "medium",
        srcs = ["npu_pair_test.py"],
        data = files.values(),
        env = {key: "$(rootpath {})".format(target) for key, target in files.items()},
        deps = [
            "//tools/qemu:run",
            "//tools/trial",
        ],
    )

def _file(model, name):
    return "@stowage_zoo//:models/{}/{}".format(model, name)
