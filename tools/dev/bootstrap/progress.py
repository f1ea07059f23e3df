# SPDX-License-Identifier: Apache-2.0
"""Progress on the screen: one line a step, rewritten in place on a terminal."""

from __future__ import annotations

import sys


def say(text: str) -> None:
    """Print a step that begins or has ended."""
    print(f"stowage: {text}", file=sys.stderr, flush=True)


class Counter:
    """Counts a step's work up to a total; off a terminal it prints each quarter only."""

    def __init__(self, step: str, total: int, unit: str) -> None:
        self._step, self._total, self._unit = step, max(total, 1), unit
        self._in_place = sys.stderr.isatty()
        self._quarter = 0

    def show(self, done: int) -> None:
        """Show that `done` of the total is done."""
        line = f"stowage: {self._step} {min(done, self._total)} of {self._total} {self._unit}"
        quarter = 4 * done // self._total
        if self._in_place:
            print(f"\r{line}", end="\n" if done >= self._total else "", file=sys.stderr, flush=True)
        elif quarter > self._quarter:
            print(line, file=sys.stderr, flush=True)
        self._quarter = quarter
