# SPDX-License-Identifier: Apache-2.0
"""`stowage plan`: places for the buffers of a table, whatever they are for."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable
from pathlib import Path

from stowage.errors import DoesNotFit, InvalidPlan, StowageError
from stowage.memory.any_order import place_in_any_order
from stowage.memory.faults import faults
from stowage.memory.planner import LONG_WORK_LIMIT, Placement
from stowage.memory.problem_table import ProblemTable, read_table
from stowage.memory.region_faults import region_faults
from stowage.memory.region_search import Assignment, assign
from stowage.memory.region_table import read_regions
from stowage.memory.regions import RegionProblem
from stowage.memory.table_rows import InvalidTable
from stowage.output import write_files
from stowage.progress import Progress
from stowage.size_option import size_of_option


def add_plan(parser: argparse.ArgumentParser) -> None:
    """Declares the command's options."""
    parser.add_argument("problem", type=Path, metavar="PROBLEM", help="CSV with the columns id, lower, upper and size")
    parser.add_argument(
        "--capacity",
        type=size_of_option("--capacity"),
        metavar="SIZE",
        help="what all have to fit in, such as 1048576 or 1MiB",
    )
    parser.add_argument(
        "--regions",
        type=Path,
        metavar="FILE",
        help="CSV with the columns name and capacity, if there are several regions",
    )
    parser.add_argument("--out", type=Path, metavar="FILE", help="where the CSV with offsets goes, if not to stdout")
    parser.add_argument("--quiet", action="store_true", help="no progress and no summary, only errors")
    parser.set_defaults(run=_plan)


def _plan(options: argparse.Namespace) -> int:
    table = read_table(options.problem)
    return _plan_one(options, table) if options.regions is None else _plan_regions(options, table)


def _plan_one(options: argparse.Namespace, table: ProblemTable) -> int:
    start = time.perf_counter()
    placement = place_in_any_order(table.problem, options.capacity, LONG_WORK_LIMIT, _watch(options.quiet))
    _check_placement(table, placement)
    if options.capacity is not None and placement.peak_bytes > options.capacity:
        raise _does_not_fit(options.problem, table, placement, options.capacity)
    if not options.quiet:
        print(_summary(table, placement, time.perf_counter() - start), file=sys.stderr)
    _write(options.out, table.placed(placement.offsets_bytes))
    return 0


def _plan_regions(options: argparse.Namespace, table: ProblemTable) -> int:
    if options.capacity is not None:
        raise StowageError(where="--capacity", reason="each region has its own", remedy="leave it out, or --regions")
    start = time.perf_counter()
    try:
        problem = table.in_regions(read_regions(options.regions))
        assignment = assign(problem)
    except (InvalidTable, DoesNotFit, InvalidPlan) as refusal:
        raise refusal.in_file(str(options.problem)) from refusal
    for fault in region_faults(problem, assignment.regions, assignment.offsets_bytes):
        raise InvalidPlan(where="planner", reason=fault, remedy="report it as a defect of Stowage")
    if not options.quiet:
        print(_region_summary(problem, assignment, time.perf_counter() - start), file=sys.stderr)
    names = [problem.regions[number].name for number in assignment.regions]
    _write(options.out, table.placed(assignment.offsets_bytes, names))
    return 0


def _region_summary(problem: RegionProblem, assignment: Assignment, seconds: float) -> str:
    peaks = ", ".join(
        f"{region.name} {peak:,} of {region.capacity_bytes:,} B"
        for region, peak in zip(problem.regions, assignment.peaks_bytes, strict=True)
    )
    cost, bound = assignment.cost, assignment.bound
    return (
        f"stowage: {peaks}; cost {cost:,}, lower bound {bound:,}, gap {cost - bound:,}; "
        f"{len(problem.traffic):,} buffers, {assignment.work:,} branches, {seconds:.2f} s"
    )


def _watch(quiet: bool) -> Callable[[int], None]:
    """What shows from time to time how far a search is."""
    progress = Progress()
    return lambda tried: None if quiet else progress.still("search", f"{tried:,} places tried")


def _check_placement(table: ProblemTable, placement: Placement) -> None:
    """Holds the planner to its promise.

    Raises:
        InvalidPlan: two buffers share a byte at one moment, or one is not where it has to be: a defect of the planner.
    """
    for fault in faults(table.problem, placement.offsets_bytes):
        raise InvalidPlan(where="planner", reason=fault, remedy="report it as a defect of Stowage")


def _does_not_fit(file: Path, table: ProblemTable, placement: Placement, capacity_bytes: int) -> DoesNotFit:
    who, bound = f"its {len(table.rows):,} buffers", placement.bound_bytes
    if bound > capacity_bytes:
        reason = (
            f"it is proved that no placement of {who} takes less than {bound:,} B, {bound - capacity_bytes:,} B more "
            f"than the capacity of {capacity_bytes:,} B"
        )
    else:
        reason = (
            f"no placement of {who} within the capacity of {capacity_bytes:,} B was found in {placement.work:,} places "
            f"tried, and it is not proved that there is none (none takes less than {bound:,} B)"
        )
    remedy = f"give them {placement.peak_bytes:,} B, for which a placement was found, or make buffers smaller"
    return DoesNotFit(file=str(file), reason=reason, remedy=remedy)


def _summary(table: ProblemTable, placement: Placement, seconds: float) -> str:
    peak, bound = placement.peak_bytes, placement.bound_bytes
    return (
        f"stowage: peak {peak:,} B, lower bound {bound:,} B, gap {peak - bound:,} B; {len(table.rows):,} buffers, "
        f"{placement.work:,} places tried, {seconds:.2f} s"
    )


def _write(out: Path | None, text: str) -> None:
    if out is None:
        sys.stdout.write(text)
    else:
        write_files(out.parent, {out.name: text})
