# SPDX-License-Identifier: Apache-2.0
"""Tables of regions as CSV: where `stowage plan --regions` may place buffers.

Columns are `name` and `capacity` in bytes, which must be there, and `alignment` (a power of two), `read_cost` and
`write_cost` (of a byte, relative to the other regions), which are 1 where they are missing or empty. Of regions that
cost the same the earlier one is preferred.
"""

from __future__ import annotations

from pathlib import Path

from stowage.memory.regions import MemoryRegion
from stowage.memory.table_rows import InvalidTable, Row, parse_rows, read_text, refused_line


def read_regions(file: Path) -> tuple[MemoryRegion, ...]:
    """The regions in a file.

    Raises:
        InvalidTable: names the line, what is wrong with it and what should be there.
    """
    try:
        return parse_regions(read_text(file, "regions"))
    except InvalidTable as refusal:
        raise refusal.in_file(str(file)) from refusal


def parse_regions(text: str) -> tuple[MemoryRegion, ...]:
    """The regions that a text tells; see `read_regions`."""
    _, rows = parse_rows(text, ("name", "capacity"), "name")
    if not rows:
        raise refused_line(2, "there is no region", "give each region a line")
    return tuple(map(_region, rows))


def _region(row: Row) -> MemoryRegion:
    name = row.fields["name"]
    if len(name.split()) != 1:
        raise row.refusal(f'name "{name}" is not one word', "give a name without spaces")
    read, write = (row.number(each) if row.fields.get(each) else 1 for each in ("read_cost", "write_cost"))
    return MemoryRegion(name, row.number("capacity"), row.power_of_two("alignment"), read, write)
