# SPDX-License-Identifier: Apache-2.0
"""UNIDIRECTIONAL_SEQUENCE_LSTM: float32, and int8 with a cell state of 16 bits.

Its hidden and its cell state are variables of the model: states that a run takes over from the last one.
"""

from __future__ import annotations

import math

import numpy as np
import tflite

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.movement import Reshape, Slice, Transpose
from stowage.ir.ops.sequence_lstm import SequenceLstm
from stowage.ir.tensor_type import Quant

_INPUT, _WEIGHTS, _RECURRENCE, _BIASES, _HIDDEN, _CELL = 0, (1, 2, 3, 4), (5, 6, 7, 8), (12, 13, 14, 15), 18, 19
_KINDS = {DType.F32: (DType.F32,) * 3, DType.I8: (DType.I8, DType.I8, DType.I16)}
"""Element types of weights, hidden and cell state by the input's."""
_PEEPHOLES, _PROJECTION, _NORMALISATION = (9, 10, 11), (16, 17), (20, 21, 22, 23)


def sequence_lstm(site: OperatorSite) -> list[Value]:
    """Batch by batch or step by step, as the options say."""
    _check(site)
    data = site.input(_INPUT)
    time_major = bool(site.option("TimeMajor", False))
    steps_first = data if time_major else _exchanged(site, data, "steps")
    hidden, cell = site.input(_HIDDEN), site.input(_CELL)
    clip = site.real_option("CellClip")
    operands = (
        steps_first,
        *(_joined(site, indices, role) for indices, role in ((_WEIGHTS, "weights"), (_RECURRENCE, "recurrence"))),
        _joined(site, _BIASES, "bias"),
        hidden,
        cell,
    )
    op = SequenceLstm(clip if clip > 0 else math.inf)
    sequence, last_cell = site.add_all(op, operands, ("sequence", "cell"))
    site.tensors.keep(site.record.inputs[_HIDDEN], _last(site, sequence))
    site.tensors.keep(site.record.inputs[_CELL], last_cell)
    return [sequence if time_major else _exchanged(site, sequence, "")]


def _check(site: OperatorSite) -> None:
    missing = [index for index in (*_WEIGHTS, *_RECURRENCE, *_BIASES, _HIDDEN, _CELL) if not site.has(index)]
    extra = [index for index in (*_PEEPHOLES, *_PROJECTION, *_NORMALISATION) if site.has(index)]
    if missing or extra:
        site.refuse("it has peepholes, a projection, a normalisation or coupled gates", "use a plain LSTM")
    if site.option("FusedActivationFunction", tflite.ActivationFunctionType.TANH) != tflite.ActivationFunctionType.TANH:
        site.refuse("its activation is not tanh", "use an LSTM with tanh")
    data, weights = site.input(_INPUT).type.dtype, site.input(_WEIGHTS[0]).type.dtype
    kinds = (weights, site.input(_HIDDEN).type.dtype, site.input(_CELL).type.dtype)
    if len(site.input(_INPUT).type.shape) != 3 or kinds != _KINDS.get(data):
        named = ", ".join(kind.value for kind in (data, *kinds))
        site.refuse(f"input, weights and states are {named}", "convert it with int8 or float32 throughout")


def _exchanged(site: OperatorSite, value: Value, role: str) -> Value:
    """Batches before steps, or the other way round."""
    first, second, length = value.type.shape
    if 1 in (first, second):
        return site.add(Reshape((second, first, length)), (value,), role)
    return site.add(Transpose((1, 0, 2)), (value,), role)


def _joined(site: OperatorSite, indices: tuple[int, ...], role: str) -> Value:
    """The four gates' constants one after the other, a scale for each row of their matrices."""
    arrays = [site.constant(index, role) for index in indices]
    if len({array.shape for array in arrays}) > 1:
        site.invalid(f"the four {role} have different shapes")
    quants = [site.input(index).type.quant for index in indices]
    known = [quant for quant in quants if quant is not None]
    quant = None
    if len(known) == len(quants):
        if any(quant.axis is not None or any(quant.zero_points) for quant in known):
            site.refuse(f"its {role} have a zero point, or scales along an axis", "quantise each symmetrically")
        rows = len(arrays[0])
        quant = Quant(tuple(each.scale for each in known for _ in range(rows)), (0,) * (rows * len(known)), 0)
    return site.builder.constant(f"{site.name}.{role}", np.concatenate(arrays), quant)


def _last(site: OperatorSite, sequence: Value) -> Value:
    """The hidden state after the last step."""
    steps, batches, hidden = sequence.type.shape
    step = site.add(Slice((steps - 1, 0, 0), (1, batches, hidden), (1, 1, 1)), (sequence,), "last")
    return site.add(Reshape((batches, hidden)), (step,), "hidden")
