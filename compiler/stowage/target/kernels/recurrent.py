# SPDX-License-Identifier: Apache-2.0
"""Recurrent layers of floats: recurrent_f32.h."""

from __future__ import annotations

from stowage.ir.dtype import DType
from stowage.ir.graph import Node
from stowage.ir.ops.recurrent import RESULTS, Gru, Lstm, Recurrent, Rnn
from stowage.target.kernels.call_parts import require_elements
from stowage.target.kernels.kernel import Argument, KernelCall, NoKernel, Overlap, ParameterValue, Place, Site


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
        overlaps=_overlaps(node, op, steps, batches),
    )


def _overlaps(node: Node, op: Recurrent, steps: int, batches: int) -> tuple[Overlap, ...]:
    """A batch's states are read before anything of it is written: the output may be the states, batch by batch."""
    by_batch = op.result in ("hidden", "cell") or (op.result == "sequence" and 1 in (steps, batches))
    return tuple(Overlap(index, 0) for index in range(_FIRST_STATE, len(node.inputs))) if by_batch else ()


_FIRST_STATE = 4
"""Index of the first operand that is a state."""
_SCRATCH_VECTORS: dict[type[Recurrent], int] = {Lstm: 6, Gru: 5, Rnn: 2}


def _variant(op: Recurrent) -> tuple[tuple[str, ParameterValue], ...]:
    if isinstance(op, Gru):
        return (("reset_after", int(op.reset_after)),)
    return (("relu", int(op.relu)),) if isinstance(op, Rnn) else ()
