# SPDX-License-Identifier: Apache-2.0
"""Elements taken at tabulated places, an axis at a time: sample.h."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stowage.ir.graph import Node
from stowage.target.kernels.axes import AXES, filled_up, row_major_strides
from stowage.target.kernels.call_parts import pointers
from stowage.target.kernels.kernel import FORWARD, Direction, KernelCall, KernelConstant, Overlap

Sources = tuple[int, ...]


def sample_call(node: Node, sources: Sequence[Sources]) -> KernelCall:
    """The call that makes output[i0, i1, …] of input[sources[0][i0], sources[1][i1], …].

    Raises:
        NoKernel: more axes than the kernel has are more than the input's own.
    """
    shape, size = node.inputs[0].type.shape, node.output.type.dtype.size_bytes
    steps = [size * step for step in row_major_strides(shape)]
    outer = len(shape)
    while outer > 0 and sources[outer - 1] == tuple(range(shape[outer - 1])):
        outer -= 1
    run_bytes = size * int(np.prod(shape[outer:], dtype=np.int64))
    places = [tuple(step * source for source in taken) for taken, step in zip(sources[:outer], steps, strict=False)]
    return _call(node, places, run_bytes)


def _call(node: Node, places: list[Sources], run_bytes: int) -> KernelCall:
    begin = sum(axis[0] for axis in places if len(axis) == 1)
    axes = [axis for axis in places if len(axis) > 1]
    extents = tuple(len(axis) for axis in axes)
    starts = tuple(sum(extents[:k]) for k in range(len(axes)))
    return KernelCall(
        header="stowage/kernels/sample.h",
        function="stw_sample_runs",
        parameters=(
            ("extents", (*filled_up(extents, 1, AXES - 1), 1)),
            ("starts", filled_up(starts, 0, AXES - 1)),
            ("begin", begin),
            ("run_bytes", run_bytes),
            FORWARD,
        ),
        arguments=pointers(("uint8_t",), "uint8_t", constants=("int32_t",)),
        constants=(KernelConstant("places", np.array([0] if not axes else sum(axes, ()), dtype=np.int32)),),
        overlaps=_overlaps(axes, extents, (begin, _behind(node, axes, begin, run_bytes)), run_bytes),
    )


def _behind(node: Node, axes: list[Sources], begin: int, run_bytes: int) -> int:
    """Bytes of the input behind the run that is the output's last."""
    return node.inputs[0].type.size_bytes - run_bytes - begin - sum(axis[-1] for axis in axes)


def _overlaps(
    axes: list[Sources], extents: tuple[int, ...], skipped: tuple[int, int], run_bytes: int
) -> tuple[Overlap, ...]:
    """Safe distances: what is written before a run less where the run is read, largest axis by axis.

    Args:
        axes: the places of each axis.
        extents: of the axes.
        skipped: bytes that the walk leaves out before its first run, forward and backward.
        run_bytes: in a run.
    """
    written = [run_bytes * step for step in row_major_strides(extents)]
    turned = [tuple(axis[-1] - place for place in reversed(axis)) for axis in axes]
    leads = [sum(map(_lead, places, written)) for places in (axes, turned)]
    return tuple(
        Overlap(0, max(0, ahead - behind), direction)
        for direction, ahead, behind in zip(Direction, leads, skipped, strict=True)
    )


def _lead(places: Sources, written: int) -> int:
    return max(index * written - place for index, place in enumerate(places))
