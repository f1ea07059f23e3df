# SPDX-License-Identifier: Apache-2.0
"""The proof that an input is fed by rows: each once, in order, to as many bytes as it has.

Rows at the end that no layer reads are not asked for; the proof of the arena shows that no other is missing.
"""

from __future__ import annotations

from stowage.codegen.program import Access, ArenaPointer, Call, Program
from stowage.codegen.unsound import unsound


def check_feeds(program: Program) -> None:
    """Follows the calls that ask the caller for rows.

    Raises:
        InvalidPlan: rows come twice or out of order, or go to more or fewer bytes than they have.
    """
    feeds = [call for call in program.calls if call.asks_for_rows]
    if program.fed is None:
        if feeds:
            raise unsound(feeds[0].summary, "it asks for rows of an input that the program does not have")
        return
    if program.share is not None or program.variant is not None or program.transfers or program.further_arenas:
        raise unsound(f"input {program.fed.identifier}", "its rows are fed to models with an arena of their own alone")
    rows, type_ = 0, program.fed.value.type
    height = type_.shape[1]
    for call in feeds:
        if dict(call.parameters).get("first_row") != rows:
            raise unsound(call.summary, f"it does not ask for row {rows} of the input, which is the next")
        rows += _rows(call, type_.size_bytes // height)
    if not 0 < rows <= height:
        raise unsound(f"input {program.fed.identifier}", f"{rows} rows are fed of its {height}")


def _rows(call: Call, row_bytes: int) -> int:
    """How many rows a call asks for, which fill what it writes."""
    writes = [each for each in call.pointers if isinstance(each, ArenaPointer) and each.access is Access.WRITE]
    if call.rows < 1 or len(writes) != 1 or len(call.pointers) != 1:
        raise unsound(call.summary, "it does not write rows and nothing else")
    if writes[0].size_bytes != call.rows * row_bytes:
        raise unsound(call.summary, f"{call.rows} rows of {row_bytes} B do not fill its {writes[0].size_bytes} B")
    return call.rows
