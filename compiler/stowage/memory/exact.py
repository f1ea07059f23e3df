# SPDX-License-Identifier: Apache-2.0
"""Whether some buffers fit below a limit: a search that misses no placement, up to a limit of work.

The search is a program in C (`search/`), since it lives by the number of places that it tries: 20,000 on MiniMalloc's
instance A take it a tenth of a second; the search in Python before it took 2.4 s. One process answers all questions
about a problem.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from types import TracebackType
from typing import IO, Self

from stowage.memory.conflicts import Conflicts, aligned
from stowage.memory.greedy import Offsets
from stowage.memory.search_program import search_program


class GaveUp(Exception):
    """The limit of work was reached before there was an answer."""


class Fit:
    """The question whether the buffers of a problem fit, to be asked in a `with` statement.

    Attributes:
        work: the places that were tried for the last answer.
    """

    def __init__(self, conflicts: Conflicts, watch: Callable[[int], None] = lambda tried: None) -> None:
        """Of a problem; `watch` is told from time to time how many places were tried for the question at hand."""
        buffers = conflicts.buffers
        self._conflicts, self._watch = conflicts, watch
        self._births = sorted(range(len(buffers)), key=lambda index: (buffers[index].first, index))
        self._process: subprocess.Popen[str] | None = None
        self.work = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.communicate()

    def within(self, limit_bytes: int, work_limit: int) -> Offsets | None:
        """Offsets with which every buffer ends at or below a limit, or None where it is proved that there are none.

        "None" is no proof where a clearance is negative, since then low places may forbid better ones.

        Raises:
            GaveUp: `work_limit` places were tried, or none were found and that is no proof.
            StowageError: there is no program to ask, and no C compiler to make it.
        """
        questions, answers = self._pipes()
        print(limit_bytes, work_limit, file=questions, flush=True)
        answer, work, *offsets = self._answer(answers)
        self.work = int(work)
        if answer == "gave-up":
            raise GaveUp
        found = dict(zip(self._births, map(int, offsets), strict=False))
        return tuple(found[index] for index in range(len(found))) if answer == "placed" else None

    def _answer(self, answers: IO[str]) -> list[str]:
        for line in answers:
            words = line.split()
            if words[0] != "tried":
                return words
            self._watch(int(words[1]))
        raise MemoryError("the placement search ended without an answer")

    def _pipes(self) -> tuple[IO[str], IO[str]]:
        """Where questions go and answers come from, by a process that knows the problem."""
        if self._process is None:
            pipe = subprocess.PIPE
            self._process = subprocess.Popen([search_program()], stdin=pipe, stdout=pipe, text=True)
            assert self._process.stdin is not None
            self._process.stdin.write(_text(self._conflicts, self._births))
        assert self._process.stdin is not None and self._process.stdout is not None
        return self._process.stdin, self._process.stdout


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
    pairs = []
    for index in births:
        for other, over in clearances[index].items():
            # Two places differ by whole grains of the coarser common alignment.
            common = min(buffers[index].alignment_bytes, buffers[other].alignment_bytes)
            under = aligned(clearances[other][index], common)
            pairs.append(f"{numbers[index]} {numbers[other]} {aligned(over, common)} {under}")
    return "\n".join([f"{len(births)} {len(pairs)}", *lines, *pairs, ""])
