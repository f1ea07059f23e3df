# SPDX-License-Identifier: Apache-2.0
"""The functions of a model's steps, read from C: a kernel's call with its parameters, or a call of what steps share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial

from tests.read_back.c_tokens import Cursor, Number, Unreadable
from tests.read_back.written import Pointer, WrittenCall


@dataclass(frozen=True, slots=True)
class _Shared:
    """What steps share: its call, in which the pointers' places are empty, and their types."""

    call: WrittenCall
    types: tuple[tuple[str, bool], ...]


def read_steps(
    cursor: Cursor, fillers: str, ctypes: Mapping[str, str], offset: Callable[[str], int]
) -> dict[str, WrittenCall]:
    """Every step's call by the name of its function.

    Args:
        cursor: where the first function begins.
        fillers: with what the names of functions begin that fill states, which are no steps.
        ctypes: the element types of the model's own constants.
        offset: the number that a macro stands for.

    Raises:
        Unreadable: it is not as Stowage writes it.
    """
    steps: dict[str, WrittenCall] = {}
    shared: dict[str, _Shared] = {}
    while True:
        if cursor.sees("STW_SHARED") and not cursor.sees(f"STW_SHARED void {fillers}"):
            cursor.take("STW_SHARED")
            may_fail = _result(cursor)
            symbol = _new(cursor.name(), shared)
            shared[symbol] = _shared(cursor, may_fail)
        elif cursor.sees("static void") or cursor.sees("static enum"):
            cursor.take("static")
            may_fail = _result(cursor)
            symbol = _new(cursor.name(), steps)
            arenas, asks_for_rows = _parameters(cursor)
            steps[symbol] = replace(_step(cursor, may_fail, shared, ctypes, offset), arenas=arenas)
            cursor.take("}")
            if any(each[2] not in arenas for each in steps[symbol].pointers if isinstance(each, tuple)):
                raise Unreadable(f"{symbol} points into an arena that it is not given")
            if steps[symbol].asks_for_rows != asks_for_rows:
                raise Unreadable(f"{symbol} is given rows without need, or needs some")
        else:
            return steps


def _parameters(cursor: Cursor) -> tuple[tuple[str, ...], bool]:
    """The arenas that a step's function takes, and whether it takes where rows come from."""
    cursor.take("( unsigned char *")
    names = [cursor.name()]
    while cursor.maybe(", unsigned char *"):
        names.append(cursor.name())
    asks_for_rows = cursor.maybe(", const struct stw_row_source * rows")
    cursor.take(") {")
    return tuple(names), asks_for_rows


def _new(symbol: str, known: dict[str, WrittenCall] | dict[str, _Shared]) -> str:
    if symbol in known:
        raise Unreadable(f"{symbol} is there twice")
    return symbol


def _result(cursor: Cursor) -> bool:
    may_fail = cursor.maybe("enum stw_status")
    if not may_fail:
        cursor.take("void")
    return may_fail


def _shared(cursor: Cursor, may_fail: bool) -> _Shared:
    cursor.take("(")
    types, names = [], list[str]()
    while not names or cursor.maybe(","):
        const = cursor.maybe("const")
        types.append((cursor.name(), const))
        cursor.take("*")
        names.append(cursor.name())
    cursor.take(") {")
    call = _kernel(cursor, may_fail, cursor.name)
    cursor.take("}")
    if list(call.pointers) != names or len(set(names)) != len(names):
        raise Unreadable("pointers are not handed on one by one")
    return _Shared(replace(call, pointers=()), tuple(types))


def _step(
    cursor: Cursor,
    may_fail: bool,
    shared: dict[str, _Shared],
    ctypes: Mapping[str, str],
    offset: Callable[[str], int],
) -> WrittenCall:
    if cursor.sees("static const struct"):
        return _kernel(cursor, may_fail, lambda: _pointer(cursor, offset))
    if cursor.maybe("return") != may_fail:
        raise Unreadable("a status is lost or made up")
    name = cursor.name()
    if name not in shared or shared[name].call.may_fail != may_fail:
        raise Unreadable(f"{name} is not known")
    cursor.take("(")
    pointers = [_pointer(cursor, offset)]
    while cursor.maybe(","):
        pointers.append(_pointer(cursor, offset))
    cursor.take(") ;")
    types = shared[name].types
    if len(pointers) != len(types) or not all(map(partial(_suits, ctypes), pointers, types)):
        raise Unreadable(f"{name} is called with other pointers than it takes")
    return replace(shared[name].call, pointers=tuple(pointers))


def _suits(ctypes: Mapping[str, str], pointer: Pointer, type_: tuple[str, bool]) -> bool:
    """Whether a pointer is of an argument's type; of constants that are stored elsewhere no more is known than that."""
    given = (ctypes.get(pointer, type_[0]), True) if isinstance(pointer, str) else pointer[:2]
    return given == type_


def _kernel(cursor: Cursor, may_fail: bool, pointer: Callable[[], Pointer]) -> WrittenCall:
    cursor.take("static const struct")
    params = cursor.name()
    cursor.take("params = {")
    fields = tuple(_fields(cursor))
    if cursor.maybe("return") != may_fail:
        raise Unreadable("a status is lost or made up")
    function = cursor.name()
    if params != f"{function}_params":
        raise Unreadable(f"{function} is called with {params}")
    cursor.take("( & params")
    asks_for_rows = cursor.maybe(", rows")
    pointers = []
    while cursor.maybe(","):
        pointers.append(pointer())
    cursor.take(") ;")
    return WrittenCall(function, fields, tuple(pointers), may_fail, asks_for_rows)


def _fields(cursor: Cursor) -> Iterator[tuple[str, Number | tuple[Number, ...]]]:
    """The fields of a struct, up to its end."""
    while not cursor.maybe("} ;"):
        cursor.take(".")
        name = cursor.name()
        while cursor.maybe("."):
            name += f".{cursor.name()}"
        cursor.take("=")
        yield name, _list(cursor) if cursor.maybe("{") else cursor.number()
        cursor.take(",")


def _list(cursor: Cursor) -> tuple[Number, ...]:
    numbers = [cursor.number()]
    while cursor.maybe(","):
        numbers.append(cursor.number())
    cursor.take("}")
    return tuple(numbers)


def _pointer(cursor: Cursor, offset: Callable[[str], int]) -> Pointer:
    if not cursor.maybe("("):
        return cursor.name()
    const = cursor.maybe("const")
    ctype = cursor.name()
    cursor.take("* ) (")
    arena = cursor.name()
    cursor.take("+")
    place = offset(cursor.name())
    if cursor.maybe("+"):
        place += cursor.unsigned()
    cursor.take(")")
    return ctype, const, arena, place
