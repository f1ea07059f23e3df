# SPDX-License-Identifier: Apache-2.0
"""Test support: transfers that are not as they have to be. None of these programs may pass."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from stowage.codegen.mutant import Mutant, arena_pointers, exchanged, with_item, with_pointer
from stowage.codegen.program import Access, DataPointer, Program, Transfer


def transfer_mutants(program: Program) -> Iterator[Mutant]:
    """Every mistake at every transfer."""
    for index, transfer in enumerate(program.transfers):
        for kind, instead in _other_transfers(program, transfer):
            mutant = replace(program, transfers=with_item(program.transfers, index, *instead))
            yield Mutant(f"transfers: {kind}", transfer.buffer, mutant)
        if index:
            mutant = replace(program, transfers=exchanged(program.transfers, index - 1, index))
            yield Mutant("transfers: two exchanged", transfer.buffer, mutant)
        yield from _with_slot(program, index, transfer)
    if program.transfers:
        few = _most_in_flight(program) - 1
        yield Mutant("transfers: a board of too few channels", "", replace(program, transfer_channels=few))
    yield from _pointers(program)


def _other_transfers(program: Program, transfer: Transfer) -> Iterator[tuple[str, tuple[Transfer, ...]]]:
    end = len(program.calls) + 1
    yield "one left out", ()
    yield "one twice", (transfer, transfer)
    yield "one before the run", (replace(transfer, start=0),)
    yield "one that starts when it is waited for at last", (replace(transfer, start=transfer.wait + 1),)
    yield "one whose ends are exchanged", (replace(transfer, start=transfer.wait, wait=transfer.start - 1),)
    yield "one waited for after it is read", (replace(transfer, wait=transfer.wait + 1),)
    yield "one waited for a step early", (replace(transfer, wait=transfer.wait - 1),)
    yield "one waited for at the end", (replace(transfer, wait=end - 1 if transfer.wait < end - 1 else end),)
    yield "one never waited for", (replace(transfer, wait=end),)
    yield "one of a constant that is not", (replace(transfer, symbol=f"{transfer.symbol}_not"),)
    yield "one of a buffer that is not", (replace(transfer, buffer=f"{transfer.buffer}_not"),)
    yield "one beyond the arena", (replace(transfer, offset_bytes=program.arena_bytes),)
    for more in (-8, -1, 1, 8):
        yield f"one {more:+} bytes away", (replace(transfer, offset_bytes=transfer.offset_bytes + more),)
        yield f"one of {more:+} bytes", (replace(transfer, size_bytes=transfer.size_bytes + more),)
    for datum in program.data:
        if datum.symbol != transfer.symbol:
            yield "one of another constant", (replace(transfer, symbol=datum.symbol),)
            size_bytes = program.constants[datum.digest].nbytes
            yield "one of another constant, whole", (replace(transfer, symbol=datum.symbol, size_bytes=size_bytes),)
    for slot in program.slots:
        if slot.buffer != transfer.buffer:
            yield "one to another buffer", (replace(transfer, buffer=slot.buffer, offset_bytes=slot.offset_bytes),)


def _with_slot(program: Program, index: int, transfer: Transfer) -> Iterator[Mutant]:
    """The planner took a transfer for shorter than it is, or it starts at another time than the schedule says."""
    for more, word in ((-1, "earlier"), (1, "later")):
        start = transfer.start + more
        slots = tuple(replace(slot, first=start) if slot.buffer == transfer.buffer else slot for slot in program.slots)
        transfers = with_item(program.transfers, index, replace(transfer, start=start))
        mutant = replace(program, transfers=transfers, slots=slots)
        yield Mutant(f"transfers: one that starts a step {word}, with its life", transfer.buffer, mutant)


def _most_in_flight(program: Program) -> int:
    moments = range(1, len(program.calls) + 1)
    return max(sum(each.start <= moment <= each.wait for each in program.transfers) for moment in moments)


def _pointers(program: Program) -> Iterator[Mutant]:
    """What reads a staged constant reads something else, or says so."""
    sources = {transfer.buffer: transfer.symbol for transfer in program.transfers}
    for call, number, pointer in arena_pointers(program):
        if pointer.access is not Access.STAGED:
            continue
        for access in (Access.READ, Access.WRITE, Access.SCRATCH):
            mutant = with_pointer(program, call, number, replace(pointer, access=access))
            yield Mutant(f"a staged constant that is {access.value}", pointer.buffer, mutant)
        direct = DataPointer(sources[pointer.buffer], pointer.ctype)
        mutant = with_pointer(program, call, number, direct)
        yield Mutant("a staged constant that is read where it is stored", pointer.buffer, mutant)
