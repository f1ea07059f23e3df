# SPDX-License-Identifier: Apache-2.0
"""How a tensor is walked over whose axes partly go: extents and strides of those that stay and of those that go."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby
from math import prod

from stowage.target.kernels.axes import filled_up, merged, row_major_strides
from stowage.target.kernels.kernel import ParameterValue
from stowage.target.kernels.overlaps import strided_distance_bytes

_REDUCED_AXES = 3


@dataclass(frozen=True, slots=True)
class ReducedShape:
    """Extents and strides (of the input, in elements) of the axes that stay and of those that go."""

    extents: tuple[int, ...]
    strides: tuple[int, ...]
    reduced_extents: tuple[int, ...]
    reduced_strides: tuple[int, ...]

    @property
    def count(self) -> int:
        """Elements that go into one."""
        return prod(self.reduced_extents)

    @property
    def parameters(self) -> tuple[tuple[str, ParameterValue], ...]:
        """STW_REDUCED_SHAPE."""
        return (
            ("extents", filled_up(self.extents, 1)),
            ("strides", filled_up(self.strides, 0)),
            ("reduced_extents", filled_up(self.reduced_extents, 1, _REDUCED_AXES)),
            ("reduced_strides", filled_up(self.reduced_strides, 0, _REDUCED_AXES)),
            ("count", self.count),
        )

    def distance_bytes(self, element_bytes: int) -> int:
        """The safe distance of a kernel that reads all that goes into an output element before it writes that."""
        written = tuple(element_bytes * step for step in row_major_strides(self.extents))
        return strided_distance_bytes(self.extents, written, tuple(element_bytes * step for step in self.strides))


def reduced_shape(shape: tuple[int, ...], gone: tuple[int, ...]) -> ReducedShape:
    """The walk over a row-major tensor of which the axes `gone` go, axes merged where they can be."""
    walk = enumerate(zip(shape, row_major_strides(shape), strict=True))
    axes = [(axis in gone, extent, step) for axis, (extent, step) in walk if extent != 1]
    parts: dict[bool, list[tuple[int, int]]] = {False: [], True: []}
    for goes, run in groupby(axes, key=lambda axis: axis[0]):
        _, extents, strides = zip(*run, strict=True)
        whole, (step,) = merged(extents, strides)
        parts[goes] += zip(whole, step, strict=True)
    return ReducedShape(*(tuple(pair[k] for pair in parts[goes]) for goes in (False, True) for k in (0, 1)))
