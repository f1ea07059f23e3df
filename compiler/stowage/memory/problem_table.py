# SPDX-License-Identifier: Apache-2.0
"""Tables of buffers as CSV: what `stowage plan` reads and writes.

Columns are `id`, `lower` (the first moment of the buffer's life), `upper` (the first moment after it) and `size` in
bytes, which must be there, and `alignment` (a power of two), `offset` (a given place) and `apart` (ids of buffers with
which it must not share a byte at any moment), which may be there or empty. With several regions (`region_table.py`)
`region` names those in which the buffer may lie (any where it is empty), `read` and `written` say how many of its bytes
are, each counted as often as that happens (once where they are empty). Other columns are kept as they are. MiniMalloc's
files are of this form.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from stowage.memory.faults import faults
from stowage.memory.problem import Buffer, Problem
from stowage.memory.regions import MemoryRegion, RegionProblem, Traffic
from stowage.memory.table_rows import InvalidTable, Row, parse_rows, read_text

_NEEDED = ("id", "lower", "upper", "size")
_OFFSET, _REGION, _APART = "offset", "region", "apart"


@dataclass(frozen=True, slots=True)
class ProblemTable:
    """A table and the problem that it means, buffers in the order of rows.

    Attributes:
        columns: the header.
        rows: the lines.
        problem: what is to be placed.
    """

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    problem: Problem

    def placed(self, offsets_bytes: Sequence[int], regions: Sequence[str] = ()) -> str:
        """The table as CSV with these offsets, and the names of the buffers' regions where there are several."""
        text = io.StringIO()
        found = [{_OFFSET: str(offset)} for offset in offsets_bytes]
        if regions:
            found = [{_REGION: name, **each} for name, each in zip(regions, found, strict=True)]
        columns = dict.fromkeys((*self.columns, *(found[0] if found else [_OFFSET])))
        writer = csv.DictWriter(text, list(columns), lineterminator="\n")
        writer.writeheader()
        for row, each in zip(self.rows, found, strict=True):
            writer.writerow({**row.fields, **each})
        return text.getvalue()

    def in_regions(self, regions: tuple[MemoryRegion, ...]) -> RegionProblem:
        """The problem of placing the buffers in several regions.

        Raises:
            InvalidTable: a row names a region that is not there, or a given offset without saying in which region.
        """
        numbers = {region.name: number for number, region in enumerate(regions)}
        allowed = tuple(_allowed(row, numbers) for row in self.rows)
        return RegionProblem(self.problem, regions, tuple(map(_traffic, self.rows)), allowed)


def read_table(file: Path) -> ProblemTable:
    """The table in a file.

    Raises:
        InvalidTable: names the line, what is wrong with it and what should be there.
    """
    try:
        return parse_table(read_text(file, "buffers"))
    except InvalidTable as refusal:
        raise refusal.in_file(str(file)) from refusal


def parse_table(text: str) -> ProblemTable:
    """The table that a text is; see `read_table`."""
    columns, rows = parse_rows(text, _NEEDED, "id")
    buffers = tuple(map(_buffer, rows))
    _check_given(buffers, rows)
    return ProblemTable(columns, tuple(rows), Problem(buffers, apart=_apart(rows)))


def _buffer(row: Row) -> Buffer:
    lower, upper = row.number("lower"), row.number("upper")
    if lower >= upper:
        raise row.refusal(f"lower {lower} is not below upper {upper}", "give a life of one moment or more")
    size = row.number("size", lambda number: number > 0, "positive")
    offset = row.number(_OFFSET) if row.fields.get(_OFFSET) else None
    return Buffer(row.fields["id"], size, row.power_of_two("alignment"), lower, upper - 1, offset)


def _apart(rows: Sequence[Row]) -> tuple[tuple[str, str], ...]:
    ids = {row.fields["id"] for row in rows}
    for row in rows:
        for name in row.names(_APART):
            if name not in ids or name == row.fields["id"]:
                raise row.refusal(f'apart has "{name}", which is no other buffer', "name others by their ids")
    return tuple((row.fields["id"], name) for row in rows for name in row.names(_APART))


def _allowed(row: Row, numbers: Mapping[str, int]) -> frozenset[int]:
    names = row.names(_REGION)
    for name in names:
        if name not in numbers:
            raise row.refusal(f'region "{name}" is not among those given', f"name some of {', '.join(numbers)}")
    if row.fields.get(_OFFSET) and len(names) != 1 != len(numbers):
        raise row.refusal("an offset is given, but not in which region", f"name one of {', '.join(numbers)}")
    return frozenset(numbers[name] for name in names or numbers)


def _traffic(row: Row) -> Traffic:
    """All bytes once where nothing is given."""
    size = row.number("size")
    read, written = (row.number(column) if row.fields.get(column) else size for column in ("read", "written"))
    return Traffic(read, written)


def _check_given(buffers: Sequence[Buffer], rows: Sequence[Row]) -> None:
    """Refuses given places that no placement can keep."""
    given = [(buffer, row) for buffer, row in zip(buffers, rows, strict=True) if buffer.fixed_bytes is not None]
    for some in (*combinations(given, 1), *combinations(given, 2)):
        if len({row.fields.get(_REGION) for _, row in some}) == 1:
            _check_together(some)


def _check_together(given: Sequence[tuple[Buffer, Row]]) -> None:
    names = {buffer.name for buffer, _ in given}
    apart = tuple(pair for pair in _apart_of(given) if names.issuperset(pair))
    problem = Problem(tuple(buffer for buffer, _ in given), apart=apart)
    for fault in faults(problem, [buffer.fixed_bytes or 0 for buffer, _ in given]):
        raise given[-1][1].refusal(fault, f"change its {_OFFSET}, or leave it empty for the planner to choose")


def _apart_of(given: Sequence[tuple[Buffer, Row]]) -> list[tuple[str, str]]:
    return [(buffer.name, name) for buffer, row in given for name in row.names(_APART)]
