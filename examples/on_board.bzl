# SPDX-License-Identifier: Apache-2.0
"""What every board that Stowage brings is tried with: the digits firmware, and the examples' models against ONNX Runtime."""

load("//:defs.bzl", "stowage_budget_test", "stowage_firmware", "stowage_qemu_test")

_DIGITS = "//examples/digits:"
_BRANCHES = "//examples/branches:"

def examples_on_board(board, budgets, float_digits = True, branches = True, float_unit = True):
    """Declares `model_fw`, its budgets and the tests of the examples' models, plain and as poison builds.

    Args:
      board: the board
      budgets: the arguments of stowage_budget_test: flash, ram, stack, instructions
      float_digits: whether the board has the memory for the float32 digits
      branches: whether it has the memory for the second example
      float_unit: whether the core computes floats in hardware; software takes more instructions for some numbers than for others
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
    for poison in [False, True]:
        _integer_tests(board, poison, branches)
        if float_digits:
            _float_tests(board, poison, branches, not float_unit)

def _name(test, poison):
    return test + ("_poison_test" if poison else "_test")

def _integer_tests(board, poison, branches):
    for form, accuracy in {"int8": "0.965", "qoperator": "0.965"}.items():
        stowage_qemu_test(
            name = _name("digits_" + form, poison),
            board = board,
            expected = [_DIGITS + "expected_{}.npy".format(form)],
            inputs = [_DIGITS + "heldout_images_int8.npy"],
            labels = _DIGITS + "heldout_labels.npy",
            min_accuracy = accuracy,
            model = _DIGITS + ("digits" if form == "int8" else "digits_qoperator"),
            poison = poison,
            same_class = True,
        )
    if branches:
        stowage_qemu_test(
            name = _name("branches_int8", poison),
            board = board,
            expected = [_BRANCHES + "expected_int8.npy"],
            inputs = [_BRANCHES + "inputs_int8.npy"],
            model = _BRANCHES + "branches",
            poison = poison,
        )

def _float_tests(board, poison, branches, varying_instructions):
    stowage_qemu_test(
        name = _name("digits_f32", poison),
        board = board,
        expected = [_DIGITS + "expected_f32.npy"],
        inputs = [_DIGITS + "heldout_images.npy"],
        labels = _DIGITS + "heldout_labels.npy",
        min_accuracy = "0.97",
        model = _DIGITS + "digits_f32",
        poison = poison,
        same_class = True,
        varying_instructions = varying_instructions,
    )
    if branches:
        stowage_qemu_test(
            name = _name("branches_f32", poison),
            board = board,
            expected = [_BRANCHES + "expected_f32.npy"],
            inputs = [_BRANCHES + "inputs.npy"],
            model = _BRANCHES + "branches_f32",
            poison = poison,
            varying_instructions = varying_instructions,
        )
