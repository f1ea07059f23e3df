# SPDX-License-Identifier: Apache-2.0
"""Elements taken at tabulated places, an axis at a time: sample.h."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from stowage.ir.graph import Node
from stowage.target.kernels.axes import AXES, filled_up, row_major_strides
from stowage.target.kernels.call_parts import pointers
from stowage.target.kernels.kernel import KernelCall, KernelConstant, Overlap

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


def _call(node: Node, places: list[tuple[int, ...]], run_bytes: int) -> KernelCall:
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
        ),
        arguments=pointers(("uint8_t",), "uint8_t", constants=("int32_t",)),
        constants=(KernelConstant("places", np.array([0] if not axes else sum(axes, ()), dtype=np.int32)),),
        overlaps=(Overlap(0, _distance_bytes(axes, extents, begin, run_bytes)),),
    )


def _distance_bytes(axes: list[tuple[int, ...]], extents: tuple[int, ...], begin: int, run_bytes: int) -> int:
    """The safe distance: what is written before a run less where the run is read, largest axis by axis."""
    written = [run_bytes * step for step in row_major_strides(extents)]
    leads = [max(index * w - place for index, place in enumerate(axis)) for axis, w in zip(axes, written, strict=True)]
    return max(0, sum(leads) - begin)
