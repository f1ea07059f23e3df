# SPDX-License-Identifier: Apache-2.0
"""TFLite's LSTM: sequence_lstm_f32.h and, in integers, sequence_lstm_s8.h."""

from __future__ import annotations

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Node, Value
from stowage.ir.ops.sequence_lstm import SequenceLstm
from stowage.ir.tensor_type import Quant
from stowage.ir.tflite.lstm import LstmScales, lstm_scales
from stowage.target.kernels.call_parts import require_elements
from stowage.target.kernels.kernel import (
    Argument,
    KernelCall,
    KernelConstant,
    NoKernel,
    Overlap,
    ParameterValue,
    Place,
    Site,
)
from stowage.target.kernels.overlaps import strided_distance_bytes
from stowage.target.kernels.requantisation import ACCUMULATOR_LIMITS
from stowage.target.kernels.weights import constant

Fields = tuple[tuple[str, ParameterValue], ...]


def lower_sequence_lstm(node: Node, site: Site) -> KernelCall:
    """The call for SequenceLstm."""
    require_elements(node)
    op = node.op
    assert isinstance(op, SequenceLstm)
    weights, recurrence, bias = (
        constant(value, site, what)
        for value, what in zip(node.inputs[1:4], ("weights", "recurrent weights", "biases"), strict=True)
    )
    if node.inputs[0].type.dtype is DType.F32:
        return _lower_f32(node, op, (weights, recurrence, bias))
    if node.inputs[0].type.dtype is DType.I8:
        return _lower_s8(node, op, (weights, recurrence, bias))
    raise NoKernel(f"an LSTM of {node.inputs[0].type.dtype.value}")


def _extents(node: Node) -> Fields:
    (steps, batches, inputs), hidden = node.inputs[0].type.shape, node.inputs[2].type.shape[1]
    return ("steps", steps), ("batches", batches), ("inputs", inputs), ("hidden", hidden)


def _overlaps(node: Node) -> tuple[Overlap, ...]:
    """A vector of the input is read before the one of the output is written; the states are read in the first step,
    each before its successor is written."""
    (steps, batches, inputs), hidden = node.inputs[0].type.shape, node.inputs[2].type.shape[1]
    size = node.inputs[0].type.dtype.size_bytes
    return Overlap(0, strided_distance_bytes((steps * batches,), (size * hidden,), (size * inputs,))), Overlap(4, 0)


def _arguments(constants: tuple[str, ...], element: str, cell: str) -> tuple[Argument, ...]:
    return (
        Argument(Place.INPUT, 0, element),
        *(Argument(Place.CONSTANT, index, ctype) for index, ctype in enumerate(constants)),
        Argument(Place.INPUT, 4, element),
        Argument(Place.INPUT, 5, cell),
        Argument(Place.SCRATCH, 0, cell),
        Argument(Place.OUTPUT, 0, element),
        Argument(Place.OUTPUT, 1, cell),
    )


def _lower_f32(node: Node, op: SequenceLstm, known: tuple[Array, Array, Array]) -> KernelCall:
    roles = ("weights", "recurrence", "bias")
    return KernelCall(
        header="stowage/kernels/sequence_lstm_f32.h",
        function="stw_sequence_lstm_f32",
        parameters=(*_extents(node), ("cell_clip", float(op.cell_clip))),
        arguments=_arguments(("float",) * 3, "float", "float"),
        constants=tuple(KernelConstant(role, array) for role, array in zip(roles, known, strict=True)),
        scratch_bytes=(16 * node.inputs[2].type.shape[1],),
        overlaps=_overlaps(node),
    )


def _lower_s8(node: Node, op: SequenceLstm, known: tuple[Array, Array, Array]) -> KernelCall:
    data, weights_quant, recurrence_quant, hidden, cell = (_quant(node.inputs[index]) for index in (0, 1, 2, 4, 5))
    try:
        scales = lstm_scales(data, weights_quant, recurrence_quant, hidden, cell, op.cell_clip)
    except ValueError as error:
        raise NoKernel(str(error)) from error
    weights, recurrence, bias = known
    return KernelCall(
        header="stowage/kernels/sequence_lstm_s8.h",
        function="stw_sequence_lstm_s8",
        parameters=(*_extents(node), *_fields(scales)),
        arguments=_arguments(("int8_t", "int8_t", "int32_t", "int32_t"), "int8_t", "int16_t"),
        constants=(
            KernelConstant("weights", weights),
            KernelConstant("recurrence", recurrence),
            KernelConstant("bias", _folded(weights, bias.astype(np.int64), data.zero_point)),
            KernelConstant("recurrent_bias", _folded(recurrence, np.zeros(len(bias)), scales.hidden_zero_point)),
        ),
        scratch_bytes=(8 * node.inputs[2].type.shape[1],),
        overlaps=_overlaps(node),
    )


def _quant(value: Value) -> Quant:
    if value.type.quant is None:
        raise NoKernel(f'"{value.name}" is {value.type.dtype.value} without a quantisation')
    return value.type.quant


def _fields(scales: LstmScales) -> Fields:
    return (
        ("input_multipliers", tuple(each.value for each in scales.input)),
        ("input_shifts", tuple(each.shift for each in scales.input)),
        ("recurrent_multipliers", tuple(each.value for each in scales.recurrent)),
        ("recurrent_shifts", tuple(each.shift for each in scales.recurrent)),
        ("hidden_multiplier", scales.hidden.value),
        ("hidden_shift", scales.hidden.shift),
        ("hidden_zero_point", scales.hidden_zero_point),
        ("cell_integer_bits", scales.cell_integer_bits),
        ("cell_limit", scales.cell_limit or 32768),
    )


def _folded(matrix: Array, bias: Array, zero_point: int) -> Array:
    """The bias less zero point * sum of weights."""
    wide = matrix.astype(np.int64)
    folded = bias.astype(np.int64) - zero_point * wide.sum(axis=1)
    bound = int((np.abs(folded) + 128 * np.abs(wide).sum(axis=1)).max(initial=0))
    limit = max(ACCUMULATOR_LIMITS.values())
    if bound >= limit:
        raise NoKernel(f"weights and bias allow accumulators up to {bound}, and kernels take less than {limit}")
    stored: Array = folded.astype(np.int32)
    return stored
