# SPDX-License-Identifier: Apache-2.0
"""Tables in CSV with a header: rows by column, numbers that are checked, and refusals that name the line."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path

from stowage.errors import StowageError

_LARGEST = 1 << 40


class InvalidTable(StowageError):
    """The file is no such table, or its rows contradict each other."""


class Row:
    """A line of a table by its columns."""

    def __init__(self, line: int, columns: tuple[str, ...], fields: Sequence[str]) -> None:
        self.line = line
        if len(fields) != len(columns):
            raise self.refusal(f"has {len(fields)} fields, the header {len(columns)}", "give each column a field")
        self.fields: Mapping[str, str] = dict(zip(columns, (field.strip() for field in fields), strict=True))

    def refusal(self, reason: str, remedy: str) -> InvalidTable:
        """What is wrong with the line."""
        return refused_line(self.line, reason, remedy)

    def number(
        self, column: str, suits: Callable[[int], bool] = lambda number: True, what: str = "0 or positive"
    ) -> int:
        """The number in a column.

        Raises:
            InvalidTable: there is none, or it is not `what` it should be.
        """
        text = self.fields[column]
        if not re.fullmatch(r"[0-9]{1,13}", text) or not suits(int(text)) or int(text) > _LARGEST:
            raise self.refusal(f'{column} "{text}" is no number that is {what}', f"give one of at most {_LARGEST:,}")
        return int(text)

    def power_of_two(self, column: str) -> int:
        """The power of two in an optional column; 1 where nothing is given."""
        if not self.fields.get(column):
            return 1
        return self.number(column, lambda number: number.bit_count() == 1, "a power of two")

    def names(self, column: str) -> tuple[str, ...]:
        """The words in an optional column."""
        return tuple(dict.fromkeys(self.fields.get(column, "").split()))


def read_text(file: Path, what: str) -> str:
    """The text of a table's file; `what` is what it holds, for the remedy.

    Raises:
        InvalidTable: it can't be read.
    """
    try:
        return file.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else "it is not UTF-8 text"
        raise InvalidTable(reason=f"can't be read: {reason}", remedy=f"name a CSV file of {what}") from error


def parse_rows(text: str, needed: Sequence[str], key: str) -> tuple[tuple[str, ...], list[Row]]:
    """The columns and rows of a table in which each row has a `key` of its own.

    Raises:
        InvalidTable: names the line, what is wrong with it and what should be there.
    """
    reader = csv.reader(io.StringIO(text), strict=True)
    try:
        lines = [(reader.line_num, fields) for fields in reader if fields]
    except csv.Error as error:
        raise refused_line(reader.line_num, f"is no CSV ({error})", "write fields with commas between") from error
    columns = _header(lines[0][1] if lines else [], needed)
    rows = [Row(line, columns, fields) for line, fields in lines[1:]]
    _check_keys(rows, key)
    return columns, rows


def refused_line(line: int, reason: str, remedy: str) -> InvalidTable:
    """What is wrong with a line."""
    return InvalidTable(where=f"line {line}", reason=reason, remedy=remedy)


def _header(fields: Sequence[str], needed: Sequence[str]) -> tuple[str, ...]:
    columns = tuple(field.strip() for field in fields)
    for name in needed:
        if name not in columns:
            raise refused_line(1, f'has no column "{name}"', f"begin with a header such as {','.join(needed)}")
    for name in columns:
        if columns.count(name) > 1:
            raise refused_line(1, f'has two columns "{name}"', "keep one of them")
    return columns


def _check_keys(rows: Sequence[Row], key: str) -> None:
    seen: dict[str, int] = {}
    for row in rows:
        name = row.fields[key]
        if name in seen:
            raise row.refusal(f'{key} "{name}" is that of line {seen[name]} too', f"give each another {key}")
        seen[name] = row.line
