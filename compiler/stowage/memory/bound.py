# SPDX-License-Identifier: Apache-2.0
"""How low an arena can possibly be: the most bytes that are alive at one moment, whatever the offsets."""

from __future__ import annotations

from stowage.memory.problem import Buffer, InPlace, Problem


def lower_bound_bytes(problem: Problem) -> int:
    """No placement of these buffers ends below this.

    At each moment the living buffers lie apart, but for pairs made in place: such a pair together covers at least
    max(input + distance, output). A buffer can save its bytes once a moment, so that the largest saving of each output is taken
    off, which never overstates the bound.
    """
    by_name = {buffer.name: buffer for buffer in problem.buffers}
    moments = sorted({buffer.first for buffer in problem.buffers})
    alive = {moment: 0 for moment in moments}
    for moment in moments:
        living = [buffer for buffer in problem.buffers if buffer.first <= moment <= buffer.last]
        alive[moment] = sum(buffer.size_bytes for buffer in living) - _savings(moment, problem.in_place, by_name)
    return max(alive.values(), default=0)


def _savings(moment: int, pairs: tuple[InPlace, ...], by_name: dict[str, Buffer]) -> int:
    best: dict[str, int] = {}
    for pair in pairs:
        output, source = by_name[pair.output], by_name[pair.input]
        if output.first == moment:
            shared = (
                source.size_bytes + output.size_bytes - max(source.size_bytes + pair.distance_bytes, output.size_bytes)
            )
            best[pair.output] = max(best.get(pair.output, 0), shared)
    return sum(best.values())
