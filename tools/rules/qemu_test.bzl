# SPDX-License-Identifier: Apache-2.0
"""stowage_qemu_test: a model on an emulated board, against expected outputs."""

load("//tools/rules/private:qemu_test.bzl", "qemu_judge_test", "stowage_trial")

def stowage_qemu_test(
        name,
        model,
        board,
        inputs,
        expected,
        dimensions = None,
        pool = None,
        labels = None,
        min_accuracy = None,
        steps = 1,
        relative = "1e-5",
        same_class = False,
        varying_instructions = False,
        poison = False,
        guard = False,
        size = "medium",
        **kwargs):
    """Runs a model on a board in QEMU (or on the host, for a host board) for every vector, and compares.

    The image holds the same kernels, weights and arena, at the same places, as a firmware for the board. Beside the outputs the test
    checks that the number of executed instructions is the same for every vector, that the stack stays within its static bound, and
    that the arena is used to its last byte and not beyond.

    Args:
      name: the name of the test
      model: the `stowage_model`
      board: the board, for instance `//boards/nrf52`
      inputs: `.npy` files, one a model input in the model's order, with one vector along the leading axis
      expected: `.npy` files, one a model output, of the outputs' type
      dimensions: of a model of several sizes the one that is tested, for instance `{"frames": "20"}`, by the model's entry point; vectors
        have its shapes
      pool: a `stowage_pool` that has the model, to run it in the pool's arena
      labels: a `.npy` file with the right class of each vector, for `min_accuracy`
      min_accuracy: the share of vectors, for instance `"0.965"`, whose largest output must be the right class
      steps: the largest difference of an integer output, in quantisation steps
      relative: the largest difference of a float output, relative to the vector's largest magnitude
      same_class: whether every vector's largest output must be the expected one
      varying_instructions: accepts that executed instructions depend on the input, as software floating point makes them
      poison: whether dead buffers are filled, free bytes guarded and living buffers watched while the model runs, and what DMA is
        to bring is spoilt until it is waited for
      guard: whether the memory protection unit lets the model write its arena and the stack alone, read beside them code and
        constants, and faults at all else; for boards with such a unit
      size: the size of the test
      **kwargs: whatever else a test takes
    """
    stowage_trial(
        name = name + ".image",
        testonly = True,
        board = board,
        dimensions = dimensions or {},
        model = model,
        guard = guard,
        poison = poison,
        pool = pool,
        tags = ["manual"],
        visibility = ["//visibility:private"],
    )
    qemu_judge_test(
        name = name,
        size = size,
        expected = expected,
        inputs = inputs,
        labels = labels,
        min_accuracy = str(min_accuracy or "0"),
        relative = relative,
        same_class = same_class,
        steps = steps,
        trial = name + ".image",
        varying_instructions = varying_instructions,
        **kwargs
    )
