# SPDX-License-Identifier: Apache-2.0
"""NumPy's broadcasting as a shape rule."""

from __future__ import annotations

from itertools import zip_longest

from stowage.ir.ops.op import ShapeError

Shape = tuple[int, ...]


def broadcast(first: Shape, second: Shape) -> Shape:
    """The shape that both shapes broadcast to.

    Raises:
        ShapeError: an axis has two extents of which neither is one.
    """
    pairs = zip_longest(reversed(first), reversed(second), fillvalue=1)
    return tuple(reversed([_extent(a, b, first, second) for a, b in pairs]))


def _extent(a: int, b: int, first: Shape, second: Shape) -> int:
    if a != b and 1 not in (a, b):
        raise ShapeError(f"shapes {list(first)} and {list(second)} do not broadcast: extents {a} and {b} meet")
    return b if a == 1 else a


def check_broadcasts_to(name: str, shape: Shape, target: Shape) -> None:
    """Refuses an operand that does not broadcast to `target` as it stands (ONNX's unidirectional broadcasting)."""
    if broadcast(shape, target) != target:
        raise ShapeError(f"{name} has shape {list(shape)}, which does not broadcast to {list(target)}")
