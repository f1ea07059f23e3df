# SPDX-License-Identifier: Apache-2.0
"""Axes as kernels walk over them: unit axes gone, neighbours merged where every tensor allows it, eight in all."""

from __future__ import annotations

from stowage.target.kernels.kernel import NoKernel

Extents = tuple[int, ...]
Strides = tuple[int, ...]

AXES = 8
"""STW_AXES: the axes that a kernel loops over."""


def row_major_strides(shape: Extents) -> Strides:
    """The strides of a row-major tensor, in elements."""
    strides: list[int] = []
    step = 1
    for extent in reversed(shape):
        strides.append(step)
        step *= extent
    return tuple(reversed(strides))


def merged(extents: Extents, *tensors: Strides) -> tuple[Extents, tuple[Strides, ...]]:
    """The same walk over as few axes as possible: extents, and each tensor's strides for them.

    Axes of extent 1 are dropped. An axis is merged into the next one where in every tensor a step along it is as far as
    going along all of the next one, so that both together are one longer axis.
    """
    kept: list[tuple[int, Strides]] = []
    for extent, *steps in zip(extents, *tensors, strict=True):
        if extent == 1:
            continue
        if kept and all(before == step * extent for before, step in zip(kept[-1][1], steps, strict=True)):
            kept[-1] = (kept[-1][0] * extent, tuple(steps))
        else:
            kept.append((extent, tuple(steps)))
    strides = tuple(tuple(steps[index] for _, steps in kept) for index in range(len(tensors)))
    return tuple(extent for extent, _ in kept), strides


def filled_up(values: tuple[int, ...], filler: int, count: int = AXES) -> tuple[int, ...]:
    """The values of a walk's axes with fillers in front, so that there are as many as a kernel's parameters hold.

    Raises:
        NoKernel: there are too many.
    """
    if len(values) > count:
        raise NoKernel(f"{len(values)} axes that cannot be merged, and kernels walk over {count}")
    return (filler,) * (count - len(values)) + values
