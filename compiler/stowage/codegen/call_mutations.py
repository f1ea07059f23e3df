# SPDX-License-Identifier: Apache-2.0
"""Test support: calls that are not those of the schedule. None of these programs may pass."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from stowage.codegen.mutant import Mutant, exchanged, with_call, with_item
from stowage.codegen.program import Call, Program
from stowage.target.kernels.kernel import Direction, Overlap, ParameterValue

Parameters = tuple[tuple[str, ParameterValue], ...]


def call_mutants(program: Program) -> Iterator[Mutant]:
    """Every mistake at every call."""
    for index, call in enumerate(program.calls):
        for kind, calls in _sequences(program.calls, index):
            yield Mutant(kind, call.symbol, replace(program, calls=calls))
        following = program.calls[(index + 1) % len(program.calls)]
        for kind, instead in (*_other_calls(call, following), *_other_parameters(call), *_other_overlaps(call)):
            yield Mutant(kind, call.symbol, with_call(program, index, instead))


def _sequences(calls: tuple[Call, ...], index: int) -> Iterator[tuple[str, tuple[Call, ...]]]:
    call, rest = calls[index], with_item(calls, index)
    yield "a call left out", rest
    yield "a call made twice", with_item(calls, index, call, call)
    yield "a call made again at the end", (*calls, call)
    yield "a call made at the start too", (call, *calls)
    yield "a call moved to the start", (call, *rest)
    yield "a call moved to the end", (*rest, call)
    yield "a call in another's place", with_item(calls, index, calls[index - 1])
    yield "two calls exchanged", exchanged(calls, index, index - 1)
    yield "calls that end too soon", calls[:index]


def _other_calls(call: Call, other: Call) -> Iterator[tuple[str, Call]]:
    yield "another call's function", replace(call, function=other.function)
    yield "another call's header", replace(call, header=other.header)
    yield "another call's pointers", replace(call, pointers=other.pointers)
    yield "pointers in reverse", replace(call, pointers=call.pointers[::-1])
    yield "a pointer too few", replace(call, pointers=call.pointers[:-1])
    yield "a pointer too many", replace(call, pointers=(*call.pointers, call.pointers[0]))
    yield "another call's parameters", replace(call, parameters=other.parameters)
    yield "another call's overlaps", replace(call, overlaps=other.overlaps)


def _other_parameters(call: Call) -> Iterator[tuple[str, Call]]:
    for index, (name, value) in enumerate(call.parameters):
        yield "a parameter left out", replace(call, parameters=with_item(call.parameters, index))
        for kind, other in _other_values(value):
            yield kind, replace(call, parameters=with_item(call.parameters, index, (name, other)))
    if len(call.parameters) > 1:
        yield "two parameters exchanged", replace(call, parameters=exchanged(call.parameters, 0, -1))


def _other_values(value: ParameterValue) -> Iterator[tuple[str, ParameterValue]]:
    if not isinstance(value, tuple):
        yield "a parameter one larger", value + 1
        yield "a parameter one smaller", value - 1
        yield "a parameter doubled", 2 * value
        yield "a parameter negated", -value
        return
    elements: Sequence[float] = value
    for index in range(len(elements)):
        yield "an extent or stride one larger", _tuple(elements, index, elements[index] + 1)
        yield "an extent or stride one smaller", _tuple(elements, index, elements[index] - 1)
    yield "extents or strides in reverse", value[::-1]
    yield "an extent or stride left out", value[1:]


def _tuple(elements: Sequence[float], index: int, instead: float) -> tuple[float, ...]:
    return (*elements[:index], instead, *elements[index + 1 :])


def _other_overlaps(call: Call) -> Iterator[tuple[str, Call]]:
    for index, overlap in enumerate(call.overlaps):
        for kind, other in _other_distances(overlap):
            yield kind, replace(call, overlaps=with_item(call.overlaps, index, other))
        yield "an overlap left out", replace(call, overlaps=with_item(call.overlaps, index))
    yield "an overlap that no kernel declares", replace(call, overlaps=(*call.overlaps, Overlap(9, 0)))


def _other_distances(overlap: Overlap) -> Iterator[tuple[str, Overlap]]:
    turned = {Direction.FORWARD: Direction.BACKWARD, Direction.BACKWARD: Direction.FORWARD}
    yield "a declared distance one byte smaller", replace(overlap, distance_bytes=overlap.distance_bytes - 1)
    yield "a declared distance one byte larger", replace(overlap, distance_bytes=overlap.distance_bytes + 1)
    yield "a declared distance eight bytes smaller", replace(overlap, distance_bytes=overlap.distance_bytes - 8)
    yield "the wrong direction", replace(overlap, direction=turned[overlap.direction])
    yield "an overlap with another input", replace(overlap, input=overlap.input + 1)
