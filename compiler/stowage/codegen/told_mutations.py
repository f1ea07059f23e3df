# SPDX-License-Identifier: Apache-2.0
"""Test support: what a program tells of its arena, ports, states and slots and is not so. None of these may pass."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from stowage.codegen.mutant import Mutant, exchanged, with_item
from stowage.codegen.program import Joint, Port, Program, Slot, StatePort

Ports = tuple[Port, ...]


def told_mutants(program: Program) -> Iterator[Mutant]:
    """Every mistake at every slot, port and state, and of the arena."""
    yield from _arena(program)
    yield from _ports(program, "inputs", program.inputs, lambda ports: replace(program, inputs=ports))
    yield from _ports(program, "outputs", program.outputs, lambda ports: replace(program, outputs=ports))
    yield from _states(program)
    yield from _slots(program)
    for index, joint in enumerate(program.joints):
        for kind, instead in _other_joints(program, joint):
            mutant = replace(program, joints=with_item(program.joints, index, *instead))
            yield Mutant(f"joints: {kind}", joint.whole, mutant)


def _arena(program: Program) -> Iterator[Mutant]:
    for more in (-8, -1, 1, 8):
        size = max(0, program.arena_bytes + more)
        kind = f"an arena {abs(more)} bytes too {'small' if more < 0 else 'large'}"
        yield Mutant(kind, "arena", replace(program, arena_bytes=size))
    yield Mutant("an arena of nothing", "arena", replace(program, arena_bytes=0))


def _ports(program: Program, name: str, ports: tuple[Port, ...], made: Callable[[Ports], Program]) -> Iterator[Mutant]:
    for index, port in enumerate(ports):
        for kind, instead in _other_ports(program, port):
            yield Mutant(f"{name}: {kind}", port.identifier, made(with_item(ports, index, *instead)))
        if index:
            yield Mutant(f"{name}: two exchanged", port.identifier, made(exchanged(ports, index - 1, index)))
            twin = replace(port, identifier=ports[index - 1].identifier)
            yield Mutant(f"{name}: two of one name", port.identifier, made(with_item(ports, index, twin)))


def _other_ports(program: Program, port: Port) -> Iterator[tuple[str, tuple[Port, ...]]]:
    yield "one left out", ()
    yield "one twice", (port, port)
    for shift in (1, 8):
        yield f"one {shift} bytes lower", (replace(port, offset_bytes=port.offset_bytes - shift),)
        yield f"one {shift} bytes higher", (replace(port, offset_bytes=port.offset_bytes + shift),)
    yield "one beyond the arena", (replace(port, offset_bytes=program.arena_bytes),)
    for slot in program.slots:
        if slot.buffer != port.buffer:
            there = replace(port, buffer=slot.buffer, offset_bytes=slot.offset_bytes)
            yield "another buffer", (there,)
            yield "another buffer's name", (replace(port, buffer=slot.buffer),)
            return


def _states(program: Program) -> Iterator[Mutant]:
    for index, state in enumerate(program.states):
        for kind, instead in _other_states(state):
            mutant = replace(program, states=with_item(program.states, index, *instead))
            yield Mutant(f"states: {kind}", state.held.identifier, mutant)
        forgotten = replace(program, states=with_item(program.states, index))
        yield Mutant("states: one that is an input and an output", state.held.identifier, _opened(forgotten, state))
        yield Mutant("states: one that is an output too", state.held.identifier, _opened(program, state))
        if index:
            mutant = replace(program, states=exchanged(program.states, index - 1, index))
            yield Mutant("states: two exchanged", state.held.identifier, mutant)


def _opened(program: Program, state: StatePort) -> Program:
    return replace(program, inputs=(*program.inputs, state.held), outputs=(*program.outputs, state.kept))


def _other_states(state: StatePort) -> Iterator[tuple[str, tuple[StatePort, ...]]]:
    yield "one that is not kept", ()
    yield "one kept twice", (state, state)
    yield "one whose ends are exchanged", (replace(state, held=state.kept, kept=state.held),)
    yield "one kept where it was held", (replace(state, kept=state.held),)
    yield "one that begins otherwise", (replace(state, initial=state.initial + 1),)
    yield "another output's", (replace(state, output=f"not {state.output}"),)
    for shift in (-8, -1, 1, 8):
        held = replace(state.held, offset_bytes=state.held.offset_bytes + shift)
        kept = replace(state.kept, offset_bytes=state.kept.offset_bytes + shift)
        yield f"one held {shift:+} bytes away", (replace(state, held=held),)
        yield f"one kept {shift:+} bytes away", (replace(state, kept=kept),)
        yield f"one held and kept {shift:+} bytes away", (replace(state, held=held, kept=kept),)


def _slots(program: Program) -> Iterator[Mutant]:
    for index, slot in enumerate(program.slots):
        for kind, instead in _other_slots(program, slot, program.slots[index - 1]):
            yield Mutant(
                f"slots: {kind}", slot.buffer, replace(program, slots=with_item(program.slots, index, *instead))
            )


def _other_slots(program: Program, slot: Slot, other: Slot) -> Iterator[tuple[str, tuple[Slot, ...]]]:
    yield "one left out", ()
    yield "one twice", (slot, slot)
    yield "one more", (slot, replace(slot, buffer="idle", macro="IDLE"))
    yield "one of another buffer", (replace(slot, buffer=other.buffer),)
    yield "two of one macro", (replace(slot, macro=other.macro),)
    yield "another's place", (replace(slot, offset_bytes=other.offset_bytes),)
    yield "another's life", (replace(slot, first=other.first, last=other.last),)
    yield "a whole run's life", (replace(slot, first=0, last=len(program.calls) + 1),)
    for more in (-8, -1, 1, 8):
        yield f"an offset {more:+} bytes", (replace(slot, offset_bytes=slot.offset_bytes + more),)
        yield f"a size {more:+} bytes", (replace(slot, size_bytes=slot.size_bytes + more),)
    for more, word in ((-1, "earlier"), (1, "later")):
        yield f"a life that begins {word}", (replace(slot, first=slot.first + more),)
        yield f"a life that ends {word}", (replace(slot, last=slot.last + more),)


def _other_joints(program: Program, joint: Joint) -> Iterator[tuple[str, tuple[Joint, ...]]]:
    yield "one left out", ()
    yield "one twice", (joint, joint)
    yield "parts in reverse", (replace(joint, parts=joint.parts[::-1]),)
    yield "a part left out", (replace(joint, parts=joint.parts[1:]),)
    yield "a part twice", (replace(joint, parts=(*joint.parts, joint.parts[0])),)
    yield "one too early", (replace(joint, moment=joint.moment - 1),)
    yield "one too late", (replace(joint, moment=joint.moment + 1),)
    yield "one that never comes", (replace(joint, moment=len(program.calls) + 1),)
    yield "another whole", (replace(joint, whole=joint.parts[0]),)
