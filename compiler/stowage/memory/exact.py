# SPDX-License-Identifier: Apache-2.0
"""Whether some buffers fit below a limit: a search that misses no placement, up to a limit of work.

The search is a program in C (`search/`), since a profile of the same in Python showed nothing but its innermost loops.
Bazel builds it beside this file; elsewhere the machine's C compiler does, once a process.
"""

from __future__ import annotations

import functools
import os
import subprocess
import tempfile
from pathlib import Path

from stowage.errors import StowageError
from stowage.memory.conflicts import Conflicts, aligned
from stowage.memory.greedy import Offsets

_SEARCH = Path(__file__).absolute().with_name("search")
_SOURCES = ("main.c", "model.c", "search.c")


class GaveUp(Exception):
    """The limit of work was reached before there was an answer."""


class Fit:
    """The question whether the buffers of a problem fit; `work` counts the places that were tried."""

    def __init__(self, conflicts: Conflicts) -> None:
        buffers = conflicts.buffers
        self._births = sorted(range(len(buffers)), key=lambda index: (buffers[index].first, index))
        self._text = _text(conflicts, self._births)
        self.work = 0

    def within(self, limit_bytes: int, work_limit: int) -> Offsets | None:
        """Offsets with which every buffer ends at or below a limit, or None where it is proved that there are none.

        "None" is no proof where a clearance is negative, since then low places may forbid better ones.

        Raises:
            GaveUp: more than `work_limit` places were tried, or none were found and that is no proof.
        """
        question = f"{limit_bytes} {work_limit}\n{self._text}"
        done = subprocess.run([search_program()], input=question, capture_output=True, text=True, check=True)
        answer, work, *offsets = done.stdout.split()
        self.work = int(work)
        if answer == "gave-up":
            raise GaveUp
        found = dict(zip(self._births, map(int, offsets), strict=False))
        return tuple(found[index] for index in range(len(found))) if answer == "placed" else None


def _text(conflicts: Conflicts, births: list[int]) -> str:
    """The problem as the program reads it, buffers in the order of birth."""
    buffers, numbers = conflicts.buffers, {index: number for number, index in enumerate(births)}
    grain_bytes = min((buffer.alignment_bytes for buffer in buffers), default=1)
    lines = []
    for index in births:
        buffer = buffers[index]
        size = aligned(buffer.size_bytes, grain_bytes)
        earlier = (other for other in conflicts.clearance_bytes[index] if numbers[other] < numbers[index])
        weight = max(0, size - sum(conflicts.shared_bytes(index, other, grain_bytes) for other in earlier))
        fixed = -1 if buffer.fixed_bytes is None else buffer.fixed_bytes
        pad = size - buffer.size_bytes
        lines.append(
            f"{buffer.size_bytes} {buffer.alignment_bytes} {buffer.first} {buffer.last} {fixed} {weight} {pad}"
        )
    clearances = conflicts.clearance_bytes
    pairs = [
        f"{numbers[index]} {numbers[other]} {clearances[index][other]} {clearances[other][index]}"
        for index in births
        for other in clearances[index]
    ]
    return "\n".join([f"{len(births)} {len(pairs)}", *lines, *pairs, ""])


@functools.cache
def search_program() -> str:
    """The path of the program.

    Raises:
        StowageError: Bazel has not built it and there is no C compiler.
    """
    built = _SEARCH / "placement_search"
    if built.exists():
        return str(built)
    program = Path(tempfile.mkdtemp(prefix="stowage_search_")) / "placement_search"
    sources = [str(_SEARCH / name) for name in _SOURCES]
    command = [os.environ.get("CC", "cc"), "-std=c99", "-O2", *sources, "-o", str(program)]
    try:
        subprocess.run(command, check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as failure:
        raise StowageError(
            where="placement search",
            reason=f'"{command[0]}" did not compile {_SEARCH}',
            remedy="install a C compiler, name it in CC, or run Stowage from Bazel",
        ) from failure
    return str(program)
