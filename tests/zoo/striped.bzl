# SPDX-License-Identifier: Apache-2.0
"""striped_targets: models of the zoo as they are and within a limit of RAM, side by side on an emulated board."""

load("//tools/rules/private:qemu_test.bzl", "stowage_trial")
load(":records_program.bzl", "zoo_command", "zoo_test")
load(":striped_result.bzl", "striped_result")
load(":zoo_model.bzl", "zoo_model")

_BOARD = "mps2_an386"

# By model its file and the most that its arena may take: its bar in tools/bench/tiled.py, or the least that was reached.
_LIMITS = {
    "mbv2_w035_128_int8": ("model.onnx", "98312B"),
    "mcunet_in3_int8": ("model.tflite", "96360B"),
    "mcunet_in4_int8": ("model.tflite", "154584B"),
    "mlperf_ic_int8": ("model.tflite", "20480B"),
    "mlperf_kws_int8": ("model.tflite", "6144B"),
    "mlperf_strww_int8": ("model.tflite", "3664B"),
    "mlperf_vww_int8": ("model.tflite", "31744B"),
    "tflm_person_detect_int8": ("model.tflite", "32KiB"),
}

def striped_targets(models):
    """Declares what writes the table of docs/tiles.md, and the test that holds it against the models.

    Args:
      models: the names of the files of each model, by the model's name
    """
    records = [
        _record(model, models[model], form, ram)
        for model, (form, ram) in _LIMITS.items()
        if form in models.get(model, [])
    ]
    zoo_command(
        name = "striped",
        testonly = True,
        program = "//tools/bench:striped",
        records = records,
    )
    if records:
        zoo_test(
            name = "striped_test",
            size = "small",
            data = ["//docs:tiles.md"],
            program = "//tools/bench:striped",
            records = records,
            words = ["--check"],
        )

def _record(model, files, form, ram):
    file = "@stowage_zoo//:models/{}/{{}}".format(model)
    stem = "{}.{}".format(model, form.removeprefix("model.").removesuffix(".onnx"))
    zoo_model(
        name = stem + ".striped",
        testonly = True,
        data = [file.format(name) for name in files if not name.endswith(".npy") and not name.startswith("model")],
        model = file.format(form),
        ram = ram,
        tags = ["manual"],
    )
    stowage_trial(
        name = stem + ".striped.image",
        testonly = True,
        board = "//boards/" + _BOARD,
        model = ":" + stem + ".striped",
        tags = ["manual"],
    )
    striped_result(
        name = stem + ".striped.result",
        testonly = True,
        inputs = [file.format(name) for name in sorted(files) if name.startswith("input_")],
        model = file.format(form),
        plain = ":{}.{}.image".format(stem, _BOARD),
        striped = ":" + stem + ".striped.image",
        tags = ["manual"],
    )
    return ":" + stem + ".striped.result"
