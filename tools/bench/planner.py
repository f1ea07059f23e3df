# SPDX-License-Identifier: Apache-2.0
"""Whether problems are solved at a capacity: `./bazelw run //tools/bench:planner -- FOLDER [--capacity BYTES]`.

Every CSV in the folder (see `stowage plan`) is placed at the capacity in its name, as in A.1048576.csv, or at that of
the option. A row an instance; the last tells the sums.
"""

from __future__ import annotations

import argparse
import os
import resource
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from stowage.errors import StowageError
from stowage.memory.any_order import place_in_any_order
from stowage.memory.faults import faults
from stowage.memory.planner import LONG_WORK_LIMIT, Placement
from stowage.memory.problem_table import read_table
from stowage.progress import Progress


@dataclass(frozen=True, slots=True)
class Instance:
    """A problem with what it has to fit in."""

    file: Path
    capacity_bytes: int


@dataclass(frozen=True, slots=True)
class Run:
    """How an instance went: its number of buffers, where they lie, and CPU seconds, those of the search among them."""

    instance: Instance
    buffers: int
    placement: Placement
    seconds: float

    @property
    def solved(self) -> bool:
        return self.placement.peak_bytes <= self.instance.capacity_bytes

    def row(self) -> str:
        fits = "yes" if self.solved else "no"
        figures = f"{self.buffers} | {self.instance.capacity_bytes:,} | {self.placement.peak_bytes:,} | {fits}"
        return f"| {self.instance.file.name} | {figures} | {self.seconds:.2f} | {self.placement.work:,} |"


def main(arguments: Sequence[str]) -> int:
    """Prints the table; returns the exit status: 1 where an instance is not solved, or cannot be read."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--capacity", type=int, metavar="BYTES", help="where the name of a file has none")
    parser.add_argument("--work", type=int, default=LONG_WORK_LIMIT, metavar="PLACES", help="to be tried for each")
    options = parser.parse_args(arguments)
    try:
        found = instances(options.folder, options.capacity)
        return _table(found, options.work)
    except StowageError as refusal:
        print(f"stowage: {refusal}", file=sys.stderr)
        return 1


def instances(folder: Path, capacity_bytes: int | None) -> list[Instance]:
    """The instances in a folder, by name.

    Raises:
        StowageError: there are none, or one has no capacity.
    """
    files = sorted(folder.glob("*.csv"))
    if not files:
        raise StowageError(file=str(folder), reason="holds no CSV file", remedy="name a folder of problems")
    return [Instance(file, _capacity(file, capacity_bytes)) for file in files]


def _capacity(file: Path, otherwise: int | None) -> int:
    named = file.stem.rpartition(".")[2]
    if named.isdecimal():
        return int(named)
    if otherwise is None:
        remedy = "give --capacity, or a name such as A.1048576.csv"
        raise StowageError(file=str(file), reason="its name has no capacity", remedy=remedy)
    return otherwise


def _table(found: Sequence[Instance], work_limit: int) -> int:
    print("| instance | buffers | capacity | peak | fits | CPU seconds | places tried |")
    print("| --- |" + " ---: |" * 6)
    runs = []
    for run in _runs(found, work_limit):
        print(run.row(), flush=True)
        runs.append(run)
    seconds, work = sum(run.seconds for run in runs), sum(run.placement.work for run in runs)
    solved = sum(run.solved for run in runs)
    print(f"| {solved} of {len(runs)} | {sum(run.buffers for run in runs)} | | | | {seconds:.2f} | {work:,} |")
    return 0 if solved == len(runs) else 1


def _runs(found: Sequence[Instance], work_limit: int) -> Iterator[Run]:
    for number, instance in enumerate(found, 1):
        told = f"{number} of {len(found)}: {instance.file.name}"
        print(f"stowage: {told}", file=sys.stderr, flush=True)
        problem = read_table(instance.file).problem
        start = _cpu_seconds()
        placement = place_in_any_order(problem, instance.capacity_bytes, work_limit, _watch(told))
        seconds = _cpu_seconds() - start
        for fault in faults(problem, placement.offsets_bytes):
            raise StowageError(file=str(instance.file), where="planner", reason=fault, remedy="report it as a defect")
        yield Run(instance, len(problem.buffers), placement, seconds)


def _watch(told: str) -> Callable[[int], None]:
    progress = Progress()
    return lambda tried: progress.still("search", f"{told}: {tried:,} places tried")


def _cpu_seconds() -> float:
    """Of this process and of those that it waited for."""
    usages = (resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


if __name__ == "__main__":
    os.chdir(os.environ.get("BUILD_WORKING_DIRECTORY", "."))
    sys.exit(main(sys.argv[1:]))
