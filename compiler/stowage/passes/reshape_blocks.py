# SPDX-License-Identifier: Apache-2.0
"""Which axes of a Reshape's operand become which of its result, and what a permutation of the one does to the other.

A Reshape falls into independent blocks, each a run of operand axes and a run of result axes with the same number of
elements: [N, C, H, W] -> [N, C, H * W] has the blocks N -> N, C -> C and (H, W) -> H * W. As long as a permutation
keeps the axes of each block together and in order, it may be done before the Reshape or after. Extents of one belong
nowhere: moving them moves nothing.
"""

from __future__ import annotations

from dataclasses import dataclass

from stowage.passes.permutation import Permutation

Shape = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Block:
    """Axes of the operand and axes of the result that hold the same elements; extents of one are left out."""

    before: tuple[int, ...]
    after: tuple[int, ...]


def blocks_of(before: Shape, after: Shape) -> tuple[Block, ...]:
    """The smallest blocks of a Reshape from `before` to `after`, neither having an extent of zero."""
    left = [axis for axis, extent in enumerate(before) if extent != 1]
    right = [axis for axis, extent in enumerate(after) if extent != 1]
    found: list[Block] = []
    while left:
        taken, made = [left.pop(0)], [right.pop(0)]
        elements, others = before[taken[0]], after[made[0]]
        while elements != others:
            if elements < others:
                taken.append(left.pop(0))
                elements *= before[taken[-1]]
            else:
                made.append(right.pop(0))
                others *= after[made[-1]]
        found.append(Block(tuple(taken), tuple(made)))
    return tuple(found)


def carried_over(
    blocks: tuple[Block, ...], permutation: Permutation, before: Shape, after: Shape
) -> Permutation | None:
    """The permutation of the result that stands for `permutation` of the operand; None where it tears a block.

    Result axes of extent one stay where they are and the others fill the places between.
    """
    order = [axis for axis in permutation if before[axis] != 1]
    by_first = {block.before[0]: block for block in blocks}
    moved: list[int] = []
    while order:
        block = by_first.get(order[0])
        if block is None or tuple(order[: len(block.before)]) != block.before:
            return None
        moved += block.after
        del order[: len(block.before)]
    filler = iter(moved)
    return tuple(axis if extent == 1 else next(filler) for axis, extent in enumerate(after))


def turned_round(blocks: tuple[Block, ...]) -> tuple[Block, ...]:
    """The blocks of the Reshape back."""
    return tuple(Block(block.after, block.before) for block in blocks)
