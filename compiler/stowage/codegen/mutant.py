# SPDX-License-Identifier: Apache-2.0
"""Test support: a program that is broken in one named way at one place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import TypeVar

from stowage.codegen.program import ArenaPointer, Call, Pointer, Port, Program, Slot, Transfer

Sited = TypeVar("Sited", ArenaPointer, Port, Slot, Transfer)
Item = TypeVar("Item")


@dataclass(frozen=True, slots=True)
class Mutant:
    """What was done, where, and what came of it."""

    kind: str
    place: str
    program: Program


def with_item(items: tuple[Item, ...], index: int, *instead: Item) -> tuple[Item, ...]:
    """The items with one of them exchanged for others, or left out."""
    return (*items[:index], *instead, *items[index + 1 :])


def exchanged(items: tuple[Item, ...], one: int, other: int) -> tuple[Item, ...]:
    """The items with two of them in each other's place."""
    result = list(items)
    result[one], result[other] = result[other], result[one]
    return tuple(result)


def with_call(program: Program, index: int, call: Call) -> Program:
    """A program in which one call is another."""
    return replace(program, calls=with_item(program.calls, index, call))


def with_pointer(program: Program, call: int, pointer: int, instead: Pointer) -> Program:
    """A program in which one pointer of one call is another."""
    pointers = with_item(program.calls[call].pointers, pointer, instead)
    return with_call(program, call, replace(program.calls[call], pointers=pointers))


def arena_pointers(program: Program) -> Iterator[tuple[int, int, ArenaPointer]]:
    """Every pointer into the arena with the index of its call and its own."""
    for index, call in enumerate(program.calls):
        for number, pointer in enumerate(call.pointers):
            if isinstance(pointer, ArenaPointer):
                yield index, number, pointer


def with_offsets(program: Program, change: Callable[[str, int], int]) -> Program:
    """A program whose planner put buffers elsewhere: all that refers to them moves with them, and the arena ends with
    the highest.

    Args:
        program: the program.
        change: a buffer's new offset, by its name and its old one.
    """

    def moved(each: Sited) -> Sited:
        slot = next(slot for slot in program.slots if slot.buffer == each.buffer)
        shift_bytes = change(slot.buffer, slot.offset_bytes) - slot.offset_bytes
        return replace(each, offset_bytes=each.offset_bytes + shift_bytes)

    def pointer(each: Pointer) -> Pointer:
        return moved(each) if isinstance(each, ArenaPointer) else each

    slots = tuple(map(moved, program.slots))
    return replace(
        program,
        calls=tuple(replace(call, pointers=tuple(map(pointer, call.pointers))) for call in program.calls),
        slots=slots,
        arena_bytes=max(slot.offset_bytes + slot.size_bytes for slot in slots),
        inputs=tuple(map(moved, program.inputs)),
        outputs=tuple(map(moved, program.outputs)),
        transfers=tuple(map(moved, program.transfers)),
        states=tuple(replace(state, held=moved(state.held), kept=moved(state.kept)) for state in program.states),
    )
