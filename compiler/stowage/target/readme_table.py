# SPDX-License-Identifier: Apache-2.0
"""Generates the memory map of a board's README, between two markers; the rest of the page is people's."""

from __future__ import annotations

from collections.abc import Iterator

from stowage.errors import InvalidBoard
from stowage.target.board import Board, Region, Reservation, Role

BEGIN = "<!-- The map, generated from board.textproto by `./bazelw run //boards:update`. -->"
END = "<!-- End of the map. -->"


def with_readme_table(readme: str, file: str, board: Board) -> str:
    """The text of the README `file`, with the map between the markers made anew.

    Raises:
        InvalidBoard: the README has not exactly one pair of markers.
    """
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end or BEGIN in after or END in after:
        raise InvalidBoard(
            file=file,
            reason="the place for the memory map is not marked",
            remedy=f"put a line {BEGIN} and below it a line {END} where the map belongs",
        )
    return f"{before}{BEGIN}\n{readme_table(board)}{END}{after}"


def readme_table(board: Board) -> str:
    """The board's memory map and reservations in Markdown."""
    return "\n".join((*_regions(board), "", *_reservations(board.reservations))) + "\n"


def _regions(board: Board) -> Iterator[str]:
    yield "| Region | Address | Size | Kind | Access | Banks | Cost (read, write) | Reached by | Roles |"
    yield "| --- | --- | --- | --- | --- | --- | --- | --- | --- |"
    for region in board.regions:
        yield _row(
            f"`{region.name}`: {region.description}",
            f"`{region.span.base:#010x}`",
            _size(region.span.size_bytes),
            region.kind.value,
            region.access.value,
            str(region.banks),
            f"{region.read_cost}, {region.write_cost}",
            ", ".join(sorted(master.value for master in region.reached_by)),
            ", ".join(_roles(board, region)),
        )


def _roles(board: Board, region: Region) -> Iterator[str]:
    """The roles that the region takes; the second choice for a role says so."""
    for role in Role:
        taken = [each.name for each in board.roles[role]]
        if region.name in taken:
            place = taken.index(region.name)
            yield role.value if place == 0 else f"{role.value} (choice {place + 1})"


def _reservations(reservations: tuple[Reservation, ...]) -> Iterator[str]:
    if not reservations:
        yield "Nothing of it is reserved."
        return
    yield "| Reservation | Owner | Bytes | In force |"
    yield "| --- | --- | --- | --- |"
    for each in reservations:
        ranges = (
            f"`{taken.region}` `{taken.span.base:#010x}`, {_size(taken.span.size_bytes)}" for taken in each.ranges
        )
        in_force = "always" if each.always else f'with `reserve = ["{each.name}"]`'
        yield _row(f"`{each.name}`", each.owner, "; ".join(ranges), in_force)


def _row(*cells: str) -> str:
    return f"| {' | '.join(cells)} |"


def _size(size_bytes: int) -> str:
    for unit, factor in (("GiB", 1 << 30), ("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size_bytes % factor == 0:
            return f"{size_bytes // factor} {unit}"
    return f"{size_bytes} bytes"
