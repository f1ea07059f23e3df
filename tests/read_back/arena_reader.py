# SPDX-License-Identifier: Apache-2.0
"""The arenas of a model, read from C: what is defined, how large it is, and what a poison build watches in it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from tests.read_back.c_tokens import Cursor, Unreadable
from tests.read_back.written import FurtherArena, SlotRow


def read_arena(cursor: Cursor, figure: Callable[[str], int]) -> tuple[str, int, int]:
    """Name, alignment and bytes of the main arena.

    Raises:
        Unreadable: it is not as Stowage writes it.
    """
    cursor.take("STW_ARENA (")
    owner = cursor.string()
    cursor.take(",")
    alignment = figure(cursor.name())
    cursor.take(f") unsigned char {owner}_arena [")
    size = figure(cursor.name())
    cursor.take("] ;")
    return owner, alignment, size


def read_further(cursor: Cursor, name: str, figure: Callable[[str], int]) -> Iterator[FurtherArena]:
    """The further arenas.

    Raises:
        Unreadable: one is not as Stowage writes it.
    """
    while cursor.maybe("STW_ARENA_IN ("):
        role = cursor.string()
        cursor.take(",")
        region = cursor.string()
        cursor.take(f', "{name}" ,')
        alignment = figure(cursor.name())
        cursor.take(") unsigned char")
        arena = cursor.name()
        if not arena.startswith(f"{name}_arena_"):
            raise Unreadable(f"{arena} is no arena of {name}")
        cursor.take("[")
        if cursor.next != f"{arena}_bytes".upper():
            raise Unreadable(f"{arena} has the size {cursor.next}")
        yield FurtherArena(arena.removeprefix(f"{name}_arena_"), role, region, alignment, figure(cursor.name()))
        cursor.take("] ;")


def read_slots(cursor: Cursor, table: str, offset: Callable[[str], int]) -> Iterator[SlotRow]:
    """The rows of a table of buffers, if it is there.

    Raises:
        Unreadable: one is not as Stowage writes it.
    """
    if cursor.maybe(f"static const struct stw_slot {table} [ ] = {{"):
        while not cursor.maybe("} ;"):
            cursor.take("{")
            place = cursor.unsigned() if cursor.next[0].isdigit() else offset(cursor.name())
            place += cursor.unsigned() if cursor.maybe("+") else 0
            size, first, last = [_after(cursor) for _ in range(3)]
            cursor.take("} ,")
            yield place, size, first, last


def read_watched(
    cursor: Cursor, name: str, arenas: Sequence[FurtherArena], offset: Callable[[str], int]
) -> tuple[tuple[SlotRow, ...], ...]:
    """What is watched in each further arena, from the tables of their buffers and that of the arenas.

    Raises:
        Unreadable: they do not say the same.
    """
    if not arenas:
        return ()
    watched = tuple(tuple(read_slots(cursor, f"{name}_slots_{arena.name}", offset)) for arena in arenas)
    cursor.take(f"static const struct stw_arena {name}_arenas [ ] = {{")
    for arena, rows in zip(arenas, watched, strict=True):
        table = f"{name}_slots_{arena.name}" if rows else "NULL"
        size = f"{name}_arena_{arena.name}_bytes".upper()
        cursor.take(f'{{ "{arena.name}" , {size} , {table} , {len(rows)}u }} ,')
    cursor.take("} ;")
    return watched


def _after(cursor: Cursor) -> int:
    cursor.take(",")
    return cursor.unsigned()
