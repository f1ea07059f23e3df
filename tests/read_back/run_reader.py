# SPDX-License-Identifier: Apache-2.0
"""The functions of a model that take an arena, read from C: what a run does, and what a reset."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass

from tests.read_back.c_tokens import Cursor, Number, Unreadable
from tests.read_back.written import Event, WrittenCall


@dataclass(frozen=True, slots=True)
class Entry:
    """What a function that takes an arena has beside it.

    Attributes:
        model: its model's name.
        transfers: how many copies it starts.
        further: the names of the arenas beside the main one, in order.
        is_fed: whether it takes where rows of the input come from.
    """

    model: str
    transfers: int = 0
    further: tuple[str, ...] = ()
    is_fed: bool = False


def read_fillings(cursor: Cursor, name: str) -> Iterator[tuple[str, str, Number]]:
    """Identifier, element type and initial value of every state that the reset fills.

    Raises:
        Unreadable: it is not as Stowage writes it.
    """
    fillers = []
    while cursor.maybe("STW_SHARED void"):
        filler = cursor.name()
        identifier = filler.removeprefix(f"{name}_fill_")
        macro = f"{name}_state_{identifier}_elements".upper()
        cursor.take(f"( unsigned char * bytes ) {{ for ( uint32_t i = 0u ; i < {macro} ; i ++ ) {{")
        cursor.take(f"( {name}_state_{identifier} ( bytes ) ) [ i ] = (")
        ctype = cursor.name()
        cursor.take(") (")
        yield identifier, ctype, cursor.number()
        cursor.take(") ; } }")
        fillers.append(filler)
    if fillers:
        _take_entry(cursor, f"{name}_reset", Entry(name))
        for filler in fillers:
            cursor.take(f"{filler} ( bytes ) ;")
        cursor.take("return STW_OK ; }")


def read_run(
    cursor: Cursor, entry: Entry, steps: Mapping[str, WrittenCall], offset: Callable[[str], int]
) -> list[Event]:
    """What the run does, in order.

    Args:
        cursor: where the function begins.
        entry: what it takes.
        steps: the functions of the model's steps, in the order in which they stand.
        offset: the number that a macro stands for.

    Raises:
        Unreadable: it is not as Stowage writes it.
    """
    _take_entry(cursor, f"{entry.model}_run", entry)
    for further in entry.further:
        if not any(f"arena_{further}" in call.arenas for call in steps.values()):
            cursor.take(f"( void ) bytes_{further} ;")
    events: list[Event] = []
    while not cursor.maybe("return STW_OK ; }"):
        events.append(_event(cursor, entry, steps, offset))
    return events


def _event(cursor: Cursor, entry: Entry, steps: Mapping[str, WrittenCall], offset: Callable[[str], int]) -> Event:
    for kind, macro in (("begin", "STW_STEP_BEGIN"), ("end", "STW_STEP_END")):
        if cursor.maybe(f"{macro} ( & {entry.model}_model ,"):
            step = cursor.unsigned()
            cursor.take(", bytes ) ;")
            return kind, step
    if cursor.maybe("if ( ! stw_transfer_arrived ( & transfers ["):
        transfer = cursor.plain()
        cursor.take("] ) ) {")
        _take_failure(cursor, entry.transfers)
        return "wait", transfer
    if cursor.maybe("transfers ["):
        return _start(cursor, offset)
    is_checked = cursor.maybe("if (")
    step = _step(cursor, steps)
    if not is_checked:
        cursor.take(";")
        return "call", step
    cursor.take("!= STW_OK ) {")
    if list(steps.values())[step].asks_for_rows:
        cursor.take("return STW_INPUT_ERROR ; }")
        return "fed call", step
    _take_failure(cursor, entry.transfers)
    return "checked call", step


def _step(cursor: Cursor, steps: Mapping[str, WrittenCall]) -> int:
    """The number of the step that is called, with the bytes of the arenas that its function takes."""
    symbol = cursor.name()
    if symbol not in steps:
        raise Unreadable(f"{symbol} is no step")
    given = " , ".join(arena.replace("arena", "bytes", 1) for arena in steps[symbol].arenas)
    cursor.take(f"( {given} , rows )" if steps[symbol].asks_for_rows else f"( {given} )")
    return list(steps).index(symbol)


def _start(cursor: Cursor, offset: Callable[[str], int]) -> Event:
    transfer = cursor.plain()
    cursor.take("] = stw_hal_dma_start ( bytes +")
    place = offset(cursor.name())
    cursor.take(",")
    symbol = cursor.name()
    cursor.take(",")
    size = cursor.unsigned()
    cursor.take(") ;")
    return "start", transfer, place, symbol, size


def _take_failure(cursor: Cursor, transfers: int) -> None:
    """The end of a run that has failed: every copy is waited for."""
    if transfers:
        cursor.take(f"return stw_transfers_failed ( transfers , {transfers}u ) ; }}")
    else:
        cursor.take("return STW_DEVICE_ERROR ; }")


def _take_entry(cursor: Cursor, function: str, entry: Entry) -> None:
    """A function's head, the handles of copies, and the checks of the arenas and of where rows come from."""
    parameters = " , ".join(["void * arena", *(f"void * arena_{further}" for further in entry.further)])
    parameters += " , const struct stw_row_source * rows" if entry.is_fed else ""
    cursor.take(f"enum stw_status {function} ( {parameters} ) {{")
    if entry.transfers:
        handles = "STW_NO_TRANSFER , " * entry.transfers
        cursor.take(f"int32_t transfers [ {entry.transfers} ] = {{ {handles} }} ;")
    for ending in ("", *(f"_{further}" for further in entry.further)):
        _take_check(cursor, f"bytes{ending}", f"arena{ending}", f"{entry.model.upper()}_ARENA_ALIGNMENT_BYTES")
    if entry.is_fed:
        cursor.take("if ( rows == NULL || rows -> read == NULL ) { return STW_INPUT_ERROR ; }")


def _take_check(cursor: Cursor, start: str, argument: str, alignment: str) -> None:
    cursor.take(f"unsigned char * {start} = {argument} ;")
    cursor.take(f"if ( {start} == NULL || ( ( uintptr_t ) {start} % {alignment} ) != 0u ) {{ return STW_BAD_ARENA ; }}")
