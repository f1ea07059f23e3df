# SPDX-License-Identifier: Apache-2.0
"""What every board that Stowage brings is tried with: the digits firmware, and the examples' models against ONNX Runtime."""

load("//:defs.bzl", "stowage_budget_test", "stowage_firmware", "stowage_qemu_test")

_DIGITS = "//examples/digits:"
_BRANCHES = "//examples/branches:"

# By what they add to a test's name: the attributes of builds.
_BUILDS = {
    "": {},
    "_guarded": {"guard": True},
    "_poison": {"poison": True},
}

def examples_on_board(board, budgets, float_digits = True, branches = True, float_unit = True, memory_protection = True):
    """Declares `model_fw`, its budgets and the tests of the examples' models, plain, guarded and as poison builds.

    Args:
      board: the board
      budgets: the arguments of stowage_budget_test: flash, ram, stack, instructions
      float_digits: whether the board has the memory for the float32 digits
      branches: whether it has the memory for the second example
      float_unit: whether the core computes floats in hardware; software takes more instructions for some numbers than for others
      memory_protection: whether the core has a memory protection unit, which guarded builds take
    """
    stowage_firmware(
        name = "model_fw",
        srcs = [_DIGITS + "classify"],
        board = board,
        visibility = ["//visibility:public"],
        deps = [_DIGITS + "digits"],
    )
    if budgets:
        stowage_budget_test(
            name = "model_fw_budget",
            firmware = ":model_fw",
            **budgets
        )
    for build in _BUILDS:
        if memory_protection or not _BUILDS[build].get("guard"):
            _integer_tests(board, build, branches)
            if float_digits:
                _float_tests(board, build, branches, not float_unit)

def _name(test, build):
    return "{}{}_test".format(test, build)

def _integer_tests(board, build, branches):
    for form, accuracy in {"int8": "0.965", "qoperator": "0.965"}.items():
        stowage_qemu_test(
            name = _name("digits_" + form, build),
            board = board,
            expected = [_DIGITS + "expected_{}.npy".format(form)],
            inputs = [_DIGITS + "heldout_images_int8.npy"],
            labels = _DIGITS + "heldout_labels.npy",
            min_accuracy = accuracy,
            model = _DIGITS + ("digits" if form == "int8" else "digits_qoperator"),
            same_class = True,
            **_BUILDS[build]
        )
    if branches:
        stowage_qemu_test(
            name = _name("branches_int8", build),
            board = board,
            expected = [_BRANCHES + "expected_int8.npy"],
            inputs = [_BRANCHES + "inputs_int8.npy"],
            model = _BRANCHES + "branches",
            **_BUILDS[build]
        )

def _float_tests(board, build, branches, varying_instructions):
    stowage_qemu_test(
        name = _name("digits_f32", build),
        board = board,
        expected = [_DIGITS + "expected_f32.npy"],
        inputs = [_DIGITS + "heldout_images.npy"],
        labels = _DIGITS + "heldout_labels.npy",
        min_accuracy = "0.97",
        model = _DIGITS + "digits_f32",
        same_class = True,
        varying_instructions = varying_instructions,
        **_BUILDS[build]
    )
    if branches:
        stowage_qemu_test(
            name = _name("branches_f32", build),
            board = board,
            expected = [_BRANCHES + "expected_f32.npy"],
            inputs = [_BRANCHES + "inputs.npy"],
            model = _BRANCHES + "branches_f32",
            varying_instructions = varying_instructions,
            **_BUILDS[build]
        )
