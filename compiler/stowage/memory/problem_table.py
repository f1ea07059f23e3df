# SPDX-License-Identifier: Apache-2.0
"""Placement problems as tables: CSV with a buffer a row, as MiniMalloc and others write them.

Columns are `id`, `lower` and `upper` (the first moment of the life, and the first after it), `size`, and where wanted
`alignment` (a power of two) and `offset` (a given place, or empty). Others are kept as they are.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from stowage.errors import StowageError
from stowage.memory.faults import faults
from stowage.memory.problem import Buffer, Problem

_NEEDED = ("id", "lower", "upper", "size")
_LARGEST = 1 << 40
_OFFSET = "offset"


class InvalidTable(StowageError):
    """The file is no table of buffers, or its buffers contradict each other."""


@dataclass(frozen=True, slots=True)
class ProblemTable:
    """A table and the problem that it means, buffers in the order of rows.

    Attributes:
        columns: the header.
        rows: by column.
        problem: what is to be placed.
    """

    columns: tuple[str, ...]
    rows: tuple[Mapping[str, str], ...]
    problem: Problem

    def placed(self, offsets_bytes: Sequence[int]) -> str:
        """The table as CSV with these offsets."""
        text = io.StringIO()
        columns = dict.fromkeys((*self.columns, _OFFSET))
        writer = csv.DictWriter(text, list(columns), lineterminator="\n")
        writer.writeheader()
        for row, offset in zip(self.rows, offsets_bytes, strict=True):
            writer.writerow({**row, _OFFSET: str(offset)})
        return text.getvalue()


def read_table(file: Path) -> ProblemTable:
    """The table in a file.

    Raises:
        InvalidTable: names the line, what is wrong with it and what should be there.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
        return parse_table(text)
    except InvalidTable as refusal:
        raise refusal.in_file(str(file)) from refusal
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InvalidTable(
            file=str(file), reason=f"can't be read: {reason}", remedy="name a CSV file of buffers"
        ) from error


def parse_table(text: str) -> ProblemTable:
    """The table that a text is; see `read_table`."""
    reader = csv.reader(io.StringIO(text), strict=True)
    try:
        lines = [(reader.line_num, fields) for fields in reader if fields]
    except csv.Error as error:
        raise _refusal(reader.line_num, f"is no CSV ({error})", "write fields with commas between") from error
    columns = _header(lines[0][1] if lines else [])
    rows = [_Row(line, columns, fields) for line, fields in lines[1:]]
    _check_names(rows)
    buffers = tuple(row.buffer() for row in rows)
    _check_given(buffers, rows)
    return ProblemTable(columns, tuple(row.fields for row in rows), Problem(buffers))


def _header(fields: Sequence[str]) -> tuple[str, ...]:
    columns = tuple(field.strip() for field in fields)
    for name in _NEEDED:
        if name not in columns:
            raise _refusal(1, f'has no column "{name}"', f"begin with a header such as {','.join(_NEEDED)}")
    for name in columns:
        if columns.count(name) > 1:
            raise _refusal(1, f'has two columns "{name}"', "keep one of them")
    return columns


class _Row:
    """A line of the table by its columns."""

    def __init__(self, line: int, columns: tuple[str, ...], fields: Sequence[str]) -> None:
        self.line = line
        if len(fields) != len(columns):
            raise self.refusal(f"has {len(fields)} fields, the header {len(columns)}", "give each column a field")
        self.fields = dict(zip(columns, (field.strip() for field in fields), strict=True))

    def refusal(self, reason: str, remedy: str) -> InvalidTable:
        return _refusal(self.line, reason, remedy)

    def buffer(self) -> Buffer:
        """The buffer that it means."""
        lower, upper = self._number("lower"), self._number("upper")
        if lower >= upper:
            raise self.refusal(f"lower {lower} is not below upper {upper}", "give a life of one moment or more")
        size = self._number("size", lambda number: number > 0, "positive")
        alignment = 1
        if self.fields.get("alignment"):
            alignment = self._number("alignment", lambda number: number.bit_count() == 1, "a power of two")
        offset = self._number(_OFFSET) if self.fields.get(_OFFSET) else None
        return Buffer(self.fields["id"], size, alignment, lower, upper - 1, offset)

    def _number(
        self, column: str, suits: Callable[[int], bool] = lambda number: True, what: str = "0 or positive"
    ) -> int:
        text = self.fields[column]
        if not re.fullmatch(r"[0-9]{1,13}", text) or not suits(int(text)) or int(text) > _LARGEST:
            raise self.refusal(f'{column} "{text}" is no number that is {what}', f"give one of at most {_LARGEST:,}")
        return int(text)


def _refusal(line: int, reason: str, remedy: str) -> InvalidTable:
    return InvalidTable(where=f"line {line}", reason=reason, remedy=remedy)


def _check_names(rows: Sequence[_Row]) -> None:
    seen: dict[str, int] = {}
    for row in rows:
        name = row.fields["id"]
        if name in seen:
            raise row.refusal(f'id "{name}" is that of line {seen[name]} too', "give each buffer an id of its own")
        seen[name] = row.line


def _check_given(buffers: Sequence[Buffer], rows: Sequence[_Row]) -> None:
    """Refuses given places that no placement can keep."""
    given = [(buffer, row) for buffer, row in zip(buffers, rows, strict=True) if buffer.fixed_bytes is not None]
    for some in (*combinations(given, 1), *combinations(given, 2)):
        _check_together(some)


def _check_together(given: Sequence[tuple[Buffer, _Row]]) -> None:
    problem = Problem(tuple(buffer for buffer, _ in given))
    for fault in faults(problem, [buffer.fixed_bytes or 0 for buffer, _ in given]):
        raise given[-1][1].refusal(fault, f"change its {_OFFSET}, or leave it empty for the planner to choose")
