# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers of floats: recurrent_f32.h."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.ir.ops.recurrent import RESULTS, Gru, Lstm, Recurrent, Rnn
from stowage.target.kernels.call_parts import require_elements
from stowage.target.kernels.kernel import (
    Argument,
    Direction,
    KernelCall,
    NoKernel,
    Overlap,
    ParameterValue,
    Place,
    Site,
)


def lower_recurrent(node: Node, site: Site) -> KernelCall:
    """The call for Lstm, Gru or Rnn."""
    require_elements(node)
    op, (steps, batches, inputs) = node.op, node.inputs[0].type.shape
    assert isinstance(op, Recurrent)
    if node.output.type.dtype is not DType.F32:
        raise NoKernel(f"{op.mnemonic} of {node.output.type.dtype.value}")
    hidden = node.inputs[2].type.shape[1]
    return KernelCall(
        header="stowage/kernels/recurrent_f32.h",
        function=f"stw_{op.mnemonic}_f32",
        parameters=(
            ("steps", steps),
            ("batches", batches),
            ("inputs", inputs),
            ("hidden", hidden),
            ("reverse", int(op.reverse)),
            ("result", RESULTS.index(op.result)),
            *_variant(op),
        ),
        arguments=(
            *(Argument(Place.INPUT, index, "float") for index in range(len(node.inputs))),
            Argument(Place.SCRATCH, 0, "float"),
            Argument(Place.OUTPUT, 0, "float"),
        ),
        scratch_bytes=(4 * hidden * _SCRATCH_VECTORS[type(op)],),
        overlaps=_overlaps(node, op),
    )


def _overlaps(node: Node, op: Recurrent) -> tuple[Overlap, ...]:
    """Over the input, a step reads its row before it writes one. Over the states, all of a batch's are read before
    anything of it is written: the output may be the states, batch by batch, or be longer where there is one batch.
    """
    steps, batches, _ = node.inputs[0].type.shape
    backward = op.reverse and steps > 1 and op.result == "sequence"
    direction = Direction.BACKWARD if backward else Direction.FORWARD
    over_input = Overlap(0, 4 * _distance_elements(node, op, direction), direction)
    by_batch = batches == 1 or op.result in ("hidden", "cell") or (op.result == "sequence" and steps == 1)
    states = range(_FIRST_STATE, len(node.inputs)) if by_batch else ()
    return (over_input, *(Overlap(index, 0, direction) for index in states))


def _distance_elements(node: Node, op: Recurrent, direction: Direction) -> int:
    """The largest lead of what is written over the row of the input that is read next, batch by batch."""
    (steps, batches, inputs), hidden = node.inputs[0].type.shape, node.inputs[2].type.shape[1]
    order = range(steps - 1, -1, -1) if op.reverse else range(steps)
    rows = np.array([step * batches + batch for batch in range(batches) for step in order], np.int64)
    if direction is Direction.BACKWARD:
        rows = steps * batches - 1 - rows
    written = np.maximum.accumulate(_vectors_written(op, rows, steps, batches))
    return int((written[:-1] * hidden - rows[1:] * inputs).max(initial=0))


def _vectors_written(op: Recurrent, rows: NDArray[np.int64], steps: int, batches: int) -> NDArray[np.int64]:
    """How far the output reaches after the step of each row, in vectors."""
    written = rows + 1 if op.result in ("sequence", "sequence_and_cell") else np.zeros_like(rows)
    before = {"hidden": 0, "cell": 0, "sequence_and_cell": steps * batches, "states": batches}.get(op.result)
    if before is not None:
        written[steps - 1 :: steps] = before + 1 + np.arange(batches)
    return written


_FIRST_STATE = 4
"""Index of the first operand that is a state."""
_SCRATCH_VECTORS: dict[type[Recurrent], int] = {Lstm: 6, Gru: 5, Rnn: 2}


def _variant(op: Recurrent) -> tuple[tuple[str, ParameterValue], ...]:
    if isinstance(op, Gru):
        return (("reset_after", int(op.reset_after)),)
    return (("relu", int(op.relu)),) if isinstance(op, Rnn) else ()
