# SPDX-License-Identifier: Apache-2.0
"""The functions of a model that take an arena, read from C: what a run does, and what a reset."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from tests.read_back.c_tokens import Cursor, Number, Unreadable
from tests.read_back.written import Event


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
        _take_entry(cursor, f"{name}_reset", name, 0)
        for filler in fillers:
            cursor.take(f"{filler} ( bytes ) ;")
        cursor.take("return STW_OK ; }")


def read_run(
    cursor: Cursor, name: str, steps: list[str], transfers: int, offset: Callable[[str], int], is_fed: bool
) -> list[Event]:
    """What the run does, in order.

    Args:
        cursor: where the function begins.
        name: the model's.
        steps: the functions of its steps, in the order in which they stand.
        transfers: how many copies there are.
        offset: the number that a macro stands for.
        is_fed: whether the caller feeds rows of the input.

    Raises:
        Unreadable: it is not as Stowage writes it.
    """
    _take_entry(cursor, f"{name}_run", name, transfers, is_fed)
    events: list[Event] = []
    while not cursor.maybe("return STW_OK ; }"):
        events.append(_event(cursor, name, steps, transfers, offset))
    return events


def _event(cursor: Cursor, name: str, steps: list[str], transfers: int, offset: Callable[[str], int]) -> Event:
    for kind, macro in (("begin", "STW_STEP_BEGIN"), ("end", "STW_STEP_END")):
        if cursor.maybe(f"{macro} ( & {name}_model ,"):
            step = cursor.unsigned()
            cursor.take(", bytes ) ;")
            return kind, step
    if cursor.maybe("if ( ! stw_transfer_arrived ( & transfers ["):
        transfer = cursor.plain()
        cursor.take("] ) ) {")
        _take_failure(cursor, transfers)
        return "wait", transfer
    if cursor.maybe("transfers ["):
        return _start(cursor, offset)
    is_checked = cursor.maybe("if (")
    step = _step(cursor, steps)
    if is_checked and cursor.maybe("( bytes , rows ) != STW_OK ) { return STW_INPUT_ERROR ; }"):
        return "fed call", step
    cursor.take("( bytes )")
    if not is_checked:
        cursor.take(";")
        return "call", step
    cursor.take("!= STW_OK ) {")
    _take_failure(cursor, transfers)
    return "checked call", step


def _step(cursor: Cursor, steps: list[str]) -> int:
    symbol = cursor.name()
    if symbol not in steps:
        raise Unreadable(f"{symbol} is no step")
    return steps.index(symbol)


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


def _take_entry(cursor: Cursor, function: str, name: str, transfers: int, is_fed: bool = False) -> None:
    """A function's head, the handles of copies, and the checks of the arena and of where rows come from."""
    rows = ", const struct stw_row_source * rows " if is_fed else ""
    cursor.take(f"enum stw_status {function} ( void * arena {rows}) {{")
    if transfers:
        cursor.take(f"int32_t transfers [ {transfers} ] = {{ {'STW_NO_TRANSFER , ' * transfers} }} ;")
    alignment = f"{name.upper()}_ARENA_ALIGNMENT_BYTES"
    cursor.take("unsigned char * bytes = arena ;")
    cursor.take(f"if ( bytes == NULL || ( ( uintptr_t ) bytes % {alignment} ) != 0u ) {{ return STW_BAD_ARENA ; }}")
    if is_fed:
        cursor.take("if ( rows == NULL || rows -> read == NULL ) { return STW_INPUT_ERROR ; }")
