# SPDX-License-Identifier: Apache-2.0
"""Axes as TFLite counts them: negative ones from the end."""

from __future__ import annotations

from collections.abc import Iterable

from stowage.frontend.from_tflite.operator_site import OperatorSite


def axis_of(site: OperatorSite, axis: int, rank: int) -> int:
    """The axis counted from the front.

    Raises:
        InvalidModel: there is no such axis.
    """
    if not -rank <= axis < rank:
        site.invalid(f"axis {axis} does not exist in {rank} axes")
    return axis % rank


def axes_of(site: OperatorSite, axes: Iterable[int], rank: int) -> tuple[int, ...]:
    """Several axes, each once, in ascending order."""
    return tuple(sorted({axis_of(site, axis, rank) for axis in axes}))
