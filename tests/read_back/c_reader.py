# SPDX-License-Identifier: Apache-2.0
"""The generated C of a model, read by rules of its own: all that is not understood is refused.

It takes C for what C says, and shares no line with what printed it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from tests.read_back.arena_reader import read_arena, read_further, read_slots, read_watched
from tests.read_back.c_tokens import Cursor, Number, Unreadable
from tests.read_back.run_reader import Entry, read_fillings, read_run
from tests.read_back.step_reader import read_steps
from tests.read_back.written import PortRow, Written

_DEFINE = re.compile(r"#define (\w+) (\d+)u?(?: /\* [^\n]* \*/)?")
_TABLES = ("inputs", "outputs", "states")


def read_model(files: Mapping[str, str], name: str) -> Written:
    """What the files of a model say.

    Raises:
        Unreadable: they are not of the form that generated C has.
    """
    data = dict(_data(Cursor(files[f"{name}_weights.c"]), name))
    ctypes = {symbol: ctype for symbol, (ctype, _) in data.items()}
    figure, offset = (_numbers(_macros(files[header])) for header in (f"{name}.h", f"{name}_arena.h"))
    cursor = Cursor(files[f"{name}.c"])
    includes = tuple(_includes(cursor))
    arena = read_arena(cursor, figure) if cursor.sees("STW_ARENA (") else None
    further = tuple(read_further(cursor, name, figure))
    steps = read_steps(cursor, f"{name}_fill_", ctypes, offset)
    slots = tuple(read_slots(cursor, f"{name}_slots", offset))
    watched = read_watched(cursor, name, further, offset)
    ports = {kind: tuple(_ports(cursor, name, kind)) for kind in _TABLES}
    described = tuple(_descriptor(cursor, name, figure))
    fillings = tuple(read_fillings(cursor, name))
    is_fed = any(call.asks_for_rows for call in steps.values())
    entry = Entry(name, cursor.count("stw_hal_dma_start"), tuple(each.name for each in further), is_fed)
    run = tuple(read_run(cursor, entry, steps, offset))
    if cursor.next:
        raise Unreadable(f"{cursor.next!r} after the run")
    return Written(
        includes, arena, further, tuple(steps.values()), run, fillings, slots, watched, ports, described, data
    )


def _numbers(macros: Mapping[str, int]) -> Callable[[str], int]:
    """What a name of one header stands for."""

    def number(name: str) -> int:
        if name not in macros:
            raise Unreadable(f"{name} is not defined there")
        return macros[name]

    return number


def _macros(header: str) -> dict[str, int]:
    """The numbers that a header defines, each name once."""
    found: dict[str, int] = {}
    for line in filter(_DEFINE.fullmatch, header.splitlines()):
        _, name, text = line.split()[:3]
        if name in found:
            raise Unreadable(f"{name} is defined twice")
        found[name] = int(text.rstrip("u"))
    return found


def _includes(cursor: Cursor) -> Iterator[str]:
    while cursor.next.startswith("#include "):
        yield cursor.include()


def _after(cursor: Cursor, mark: str) -> int:
    cursor.take(mark)
    return cursor.unsigned()


def _ports(cursor: Cursor, name: str, kind: str) -> Iterator[PortRow]:
    if cursor.maybe(f"static const struct stw_tensor {name}_{kind} [ ] = {{"):
        while not cursor.maybe("} ;"):
            cursor.take("{")
            identifier = cursor.string()
            cursor.take(",")
            type_ = cursor.name()
            place, elements, size = [_after(cursor, ",") for _ in range(3)]
            cursor.take("} ,")
            yield identifier, type_, place, elements, size


def _descriptor(cursor: Cursor, name: str, figure: Callable[[str], int]) -> Iterator[tuple[str, str | int]]:
    cursor.take(f"const struct stw_model {name}_model = {{")
    while not cursor.maybe("} ;"):
        cursor.take(".")
        field = cursor.name()
        cursor.take("=")
        if cursor.next.startswith('"'):
            yield field, cursor.string()
        elif cursor.next[0].isdigit():
            yield field, cursor.unsigned()
        else:
            value = cursor.name()
            yield field, value if value == "NULL" or value.startswith(f"{name}_") else figure(value)
        cursor.take(",")


def _data(cursor: Cursor, name: str) -> Iterator[tuple[str, tuple[str, tuple[Number, ...]]]]:
    if list(_includes(cursor)) != [f"{name}_weights.h", "stowage/core/kernel.h", "stowage/model.h"]:
        raise Unreadable("the constants include something else")
    seen = set[str]()
    while cursor.next:
        cursor.take("STW_WEIGHTS (")
        symbol = cursor.string()
        cursor.take(") const")
        ctype = cursor.name()
        cursor.take(f"{symbol} [")
        count = cursor.plain()
        cursor.take("] = {")
        values = list[Number]()
        while not cursor.maybe("} ;"):
            values.append(cursor.number())
            cursor.take(",")
        if len(values) != count or symbol in seen:
            raise Unreadable(f"{symbol} has {len(values)} elements of {count}, or is there twice")
        seen.add(symbol)
        yield symbol, (ctype, tuple(values))
