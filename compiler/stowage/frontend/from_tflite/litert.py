# SPDX-License-Identifier: Apache-2.0
"""Test support: what LiteRT's reference kernels make of a .tflite file."""

from __future__ import annotations

from collections.abc import Sequence

from ai_edge_litert.interpreter import Interpreter, OpResolverType

from stowage.ir.graph import Array


def run_litert(model: bytes, inputs: Sequence[Array], *, reference: bool = True) -> list[Array]:
    """The outputs of a model for its inputs, both in the model's order; variables start as the file says.

    ELU, CEIL, ROUND and their like have no kernel among the reference kernels, and SUM of integers one that reads what
    nobody wrote; of these the usual kernels are what TFLite computes.

    Args:
        model: the file.
        inputs: numbers of the inputs' types.
        reference: by the reference kernels, or by the usual ones.

    Raises:
        ValueError, RuntimeError: LiteRT refuses the model.
    """
    interpreter = Interpreter(model_content=model, experimental_op_resolver_type=_resolver(reference), num_threads=1)
    for detail, array in zip(interpreter.get_input_details(), inputs, strict=True):
        if tuple(detail["shape"]) != array.shape:
            interpreter.resize_tensor_input(detail["index"], array.shape)
    interpreter.allocate_tensors()
    return _invoked(interpreter, inputs)


def run_litert_steps(model: bytes, steps: Sequence[Array]) -> list[Array]:
    """The first output of a model after each of several runs, in which its variables go on; it has one input."""
    interpreter = Interpreter(model_content=model, experimental_op_resolver_type=_resolver(True), num_threads=1)
    interpreter.allocate_tensors()
    return [_invoked(interpreter, [step])[0] for step in steps]


def _invoked(interpreter: Interpreter, inputs: Sequence[Array]) -> list[Array]:
    for detail, array in zip(interpreter.get_input_details(), inputs, strict=True):
        interpreter.set_tensor(detail["index"], array)
    interpreter.invoke()
    return [interpreter.get_tensor(detail["index"]) for detail in interpreter.get_output_details()]


def _resolver(reference: bool) -> OpResolverType:
    return OpResolverType.BUILTIN_REF if reference else OpResolverType.BUILTIN_WITHOUT_DEFAULT_DELEGATES
