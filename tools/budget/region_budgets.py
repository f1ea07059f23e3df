# SPDX-License-Identifier: Apache-2.0
"""Budgets of single regions: what an image takes of one memory of its board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from stowage.target.board import Access, Board
from tools.budget.gate import Item
from tools.size.breakdown import by_kind
from tools.size.usage import Usage

PREFIX = "ram in "
"""What the name of a region's budget has before the region's."""


class NoSuchRegion(Exception):
    """A budget of a region that has none; the message is a sentence."""


def region_items(used: Usage, board: Board, limits: Mapping[str, int]) -> Iterator[Item]:
    """An item for each budget whose name begins with `PREFIX`.

    Raises:
        NoSuchRegion: the board has no such region for variables.
    """
    writable = {region.name: region for region in board.regions if region.access is Access.READ_WRITE}
    for name, limit in limits.items():
        if not name.startswith(PREFIX):
            continue
        region = writable.get(name.removeprefix(PREFIX))
        if region is None:
            known = ", ".join(writable)
            raise NoSuchRegion(f'board {board.name} has no writable region "{name.removeprefix(PREFIX)}", but {known}')
        parts = [part for part in used.ram if part.region == region.name]
        named = [(each.name, each.size_bytes) for each in used.ram_symbols if region.free.contains(each.address)]
        named += [(part.kind, part.size_bytes) for part in parts if part.kind == "stack"]
        largest = tuple(sorted(named, key=lambda entry: (-entry[1], entry[0])))
        yield Item(name, sum(part.size_bytes for part in parts), limit, "B", by_kind(parts), largest)
