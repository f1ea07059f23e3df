# SPDX-License-Identifier: Apache-2.0
"""What the generated C of a model says, with every macro replaced by its number."""

from __future__ import annotations

from dataclasses import dataclass

from tests.read_back.c_tokens import Number

Pointer = tuple[str, bool, str, int] | str
"""Into an arena: the element's C type, whether it is const, whose start it counts from, and the offset. Or the symbol
of constant data."""

SlotRow = tuple[int, int, int, int]
"""Offset, bytes, first and last moment."""

Event = tuple[str, int] | tuple[str, int, int, str, int]
"""What a run does: ("begin", "call", "checked call", "fed call" or "end", step), ("wait", transfer), or ("start",
transfer, offset, symbol, bytes)."""

PortRow = tuple[str, str, int, int, int]
"""Identifier, element type, offset, elements, bytes."""


@dataclass(frozen=True, slots=True)
class FurtherArena:
    """An arena beside the main one: its name, where the board places it, and how large it is."""

    name: str
    role: str
    region: str
    alignment_bytes: int
    size_bytes: int


@dataclass(frozen=True, slots=True)
class WrittenCall:
    """A kernel's call.

    Attributes:
        function: the kernel.
        parameters: the fields of its struct with their values.
        pointers: its other arguments.
        may_fail: whether its status is returned.
        asks_for_rows: whether it is handed where rows of the input come from.
        arenas: what its step's function calls the starts of the arenas that it takes.
    """

    function: str
    parameters: tuple[tuple[str, Number | tuple[Number, ...]], ...]
    pointers: tuple[Pointer, ...]
    may_fail: bool
    asks_for_rows: bool = False
    arenas: tuple[str, ...] = ("arena",)


@dataclass(frozen=True, slots=True)
class Written:
    """A model's sources.

    Attributes:
        includes: of `<model>.c`.
        arena: name, alignment and bytes of the arena, where the model's own source defines it.
        further: the arenas beside it.
        calls: the steps, in the order in which the run makes them.
        run: what the run does.
        fillings: identifier and element type of every state with what each element is at first.
        slots: every buffer of the main arena that a poison build watches.
        watched: the same of each further arena.
        ports: inputs, outputs and states.
        described: the fields of the model's descriptor.
        data: C type and elements of every constant by symbol.
    """

    includes: tuple[str, ...]
    arena: tuple[str, int, int] | None
    further: tuple[FurtherArena, ...]
    calls: tuple[WrittenCall, ...]
    run: tuple[Event, ...]
    fillings: tuple[tuple[str, str, Number], ...]
    slots: tuple[SlotRow, ...]
    watched: tuple[tuple[SlotRow, ...], ...]
    ports: dict[str, tuple[PortRow, ...]]
    described: tuple[tuple[str, str | int], ...]
    data: dict[str, tuple[str, tuple[Number, ...]]]
