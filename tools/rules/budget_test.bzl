# SPDX-License-Identifier: Apache-2.0
"""stowage_budget_test: what a firmware may take, as a test."""

load("//tools/rules/private:budget_test.bzl", "budget_accept", "budget_judge_test")

def stowage_budget_test(
        name,
        firmware,
        flash = None,
        ram = None,
        ram_in = {},
        stack = None,
        instructions = None,
        size = "medium",
        testonly = True,
        **kwargs):
    """Fails where a firmware takes more than its budget of flash, RAM, stack or executed instructions.

    Prints, on pass as on failure, a table of used, limit and headroom, what the memory is for and the largest contributors by name.
    `bazel run <name>.accept` writes the figures of budgets that are broken into the BUILD file.

    Flash is all that the image stores, initial values of variables included. RAM is arenas, variables and the whole stack. Stack is
    the static bound: the deepest way through the call graph with one interrupt at the worst moment. Instructions are those of one
    run of each model of the firmware, added up, counted in QEMU on inputs of zeros; they are the same on every machine and, but for
    floats on a core that has no unit for them, for every input.

    Sizes are written as `"24KiB"`, `"1MiB"` or plain bytes, instructions as `"6M"`, `"250k"` or plain. What has no budget is shown
    without a limit; one of them has to have one.

    Args:
      name: the name of the test
      firmware: the `stowage_firmware`
      flash: budget of stored bytes
      ram: budget of writable bytes
      ram_in: budgets of writable bytes in single regions of the board, by name: `{"dtcm": "16KiB", "axi_sram": "100KiB"}`
      stack: budget of the stack's static bound
      instructions: budget of executed instructions
      size: the size of the test
      testonly: whether only tests may depend on it
      **kwargs: whatever else a test takes
    """
    budgets = {
        "flash": flash,
        "instructions": instructions,
        "ram": ram,
        "ram_in": ram_in,
        "stack": stack,
    }
    budget_judge_test(
        name = name,
        size = size,
        firmware = firmware,
        testonly = testonly,
        **(budgets | kwargs)
    )
    budget_accept(
        name = name + ".accept",
        firmware = firmware,
        tags = ["manual"],
        testonly = testonly,
        visibility = ["//visibility:private"],
        **budgets
    )
