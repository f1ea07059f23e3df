# SPDX-License-Identifier: Apache-2.0
"""Looks for wrong answers until the time is over: `bazel run //tests/differential:search -- --seconds 600`.

Prints every fault, keeps its model, and says at the end how many models ran and what was refused.
"""

from __future__ import annotations

import argparse
import re
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.differential.trial import Subject, Verdict, judge, subjects

_BATCH = 8
_DEPTHS = (1, 3, 8, 16)


def main(arguments: Sequence[str]) -> int:
    """Searches; 1 where it found something."""
    parser = argparse.ArgumentParser(prog="search", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60, help="how long to search")
    parser.add_argument("--first-seed", type=int, default=0)
    parser.add_argument("--layers", type=int, nargs="*", default=list(_DEPTHS), help="depths to try in turn")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "stowage_faults")
    options = parser.parse_args(arguments)
    end = time.monotonic() + options.seconds
    tally = _Tally(options.keep)
    for number, batch in enumerate(_batches(options.first_seed, options.layers)):
        print(f"batch {number}", end="\r", file=sys.stderr)
        with tempfile.TemporaryDirectory() as folder:
            for verdict in judge(batch, Path(folder), poison=number % 2 == 1):
                tally.add(verdict)
        if time.monotonic() > end:
            break
    tally.tell()
    return 1 if tally.faults else 0


def _batches(seed: int, depths: Sequence[int]) -> Iterator[list[Subject]]:
    waiting: list[Subject] = []
    while True:
        with tempfile.TemporaryDirectory() as folder:
            waiting += subjects(seed, Path(folder), depths[seed % len(depths)])
        seed += 1
        while len(waiting) >= _BATCH:
            yield waiting[:_BATCH]
            del waiting[:_BATCH]


class _Tally:
    """What became of all models so far."""

    def __init__(self, keep: Path) -> None:
        self._keep = keep
        self._refusals: Counter[str] = Counter()
        self._right = 0
        self.faults = 0

    def add(self, verdict: Verdict) -> None:
        """Counts a verdict; a fault is told at once, and its model kept."""
        if verdict.faults:
            self.faults += 1
            self._keep.mkdir(parents=True, exist_ok=True)
            path = self._keep / f"{verdict.subject.name}.onnx"
            path.write_bytes(verdict.subject.model.proto.SerializeToString())
            print(f"FAULT {path}\n" + "\n".join(f"    {fault}" for fault in verdict.faults[:3]), flush=True)
        elif verdict.refusal:
            self._refusals[_general(verdict.refusal)] += 1
        else:
            self._right += 1

    def tell(self) -> None:
        """Prints the summary."""
        print(f"{self._right} right, {sum(self._refusals.values())} refused, {self.faults} faults")
        for reason, count in self._refusals.most_common(40):
            print(f"{count:5} {reason}")


def _general(refusal: str) -> str:
    """The sentence without the names and numbers of one model."""
    text = re.sub(r"'[^']*'|\"[^\"]*\"", "…", refusal)
    return re.sub(r"-?\d+(\.\d+)?", "#", text)[:200]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
