# SPDX-License-Identifier: Apache-2.0
"""A model of several sizes: a program for each, one arena, constants that are stored once."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stowage.codegen.program import Port, Program
from stowage.codegen.shared_data import SharedData, check_shared_data
from stowage.codegen.unsound import unsound
from stowage.codegen.variant import Variant


@dataclass(frozen=True, slots=True)
class SizedProgram:
    """All sizes of a model.

    Attributes:
        name: C identifier of the model.
        programs: one a size; each has its `variant`.
        shared: what two or more of them read.
    """

    name: str
    programs: tuple[Program, ...]
    shared: SharedData

    @property
    def arena_bytes(self) -> int:
        """Bytes of the arena, which is that of the largest size."""
        return max(program.arena_bytes for program in self.programs)

    @property
    def alignment_bytes(self) -> int:
        """Alignment of the arena's first byte."""
        return max(program.alignment_bytes for program in self.programs)

    @property
    def dimensions(self) -> tuple[str, ...]:
        """What varies, in the order of the entry point's arguments."""
        return tuple(name for name, _ in variant_of(self.programs[0]).size)


def variant_of(program: Program) -> Variant:
    """Which size a program is."""
    assert program.variant is not None, "a program of several sizes knows its own"
    return program.variant


def check_sizes(sized: SizedProgram) -> None:
    """Proves what the one entry point takes for granted of programs of which each is proved by itself.

    Sizes are all apart; ports have the same names, types and quantisations; what one size leaves in a state the others
    find in the same bytes; shared constants are what each program reads.

    Raises:
        InvalidPlan: names the size at fault.
    """
    sizes = [variant_of(program).size for program in sized.programs]
    if len(set(sizes)) != len(sizes):
        raise unsound(f'model "{sized.name}"', "two of its programs are of one size")
    first = sized.programs[0]
    for program in sized.programs:
        variant = variant_of(program)
        if variant.model != sized.name or tuple(name for name, _ in variant.size) != sized.dimensions:
            raise unsound(f'model "{program.name}"', f'it is no size of "{sized.name}"')
        if list(_ports(program)) != list(_ports(first)):
            raise unsound(f'model "{program.name}"', f'its inputs and outputs are not those of "{first.name}"')
        if list(_states(program)) != list(_states(first)):
            raise unsound(f'model "{program.name}"', f'its states are not where "{first.name}" has them')
    check_shared_data(sized.programs, sized.shared)


def _ports(program: Program) -> Iterator[tuple[object, ...]]:
    for kind, ports in (("input", program.inputs), ("output", program.outputs)):
        yield from ((kind, port.identifier, port.value.type.dtype, port.value.type.quant) for port in ports)


def _states(program: Program) -> Iterator[tuple[Port, str, int]]:
    """By their places: names of buffers may differ from size to size."""
    for state in program.states:
        held = state.held
        yield Port(held.value, held.identifier, "", held.offset_bytes), state.output, state.initial
