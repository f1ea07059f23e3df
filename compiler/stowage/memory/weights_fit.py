# SPDX-License-Identifier: Apache-2.0
"""Whether a model's constants fit their region, and what to tell the user when they do not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from stowage.errors import DoesNotFit
from stowage.ir.graph import Array, digest_of
from stowage.schedule.schedule import Schedule, Step
from stowage.target.kernels.kernel import Place
from stowage.target.target import TargetRegion

_NAMED_CONSTANTS = 3


@dataclass(frozen=True, slots=True)
class _Stored:
    """A constant: the step that reads it first, what it is to that, its bytes, and whether they are floats."""

    step: str
    role: str
    size_bytes: int
    is_float: bool


def check_weights_fit(schedule: Schedule, regions: Sequence[TargetRegion], board: str) -> None:
    """Refuses constants that are larger than the regions of a board that they may lie in.

    Code may lie in one of these too; whether both fit together is for the linker to say, which knows the code.

    Raises:
        DoesNotFit: names the regions, the excess, the step with the largest constant, the largest constants, and what
            would help.
    """
    stored = _stored(schedule)
    needed_bytes = sum(each.size_bytes for each in stored)
    capacity_bytes = sum(region.capacity_bytes for region in regions)
    excess_bytes = needed_bytes - capacity_bytes
    if excess_bytes <= 0:
        return
    largest = sorted(stored, key=lambda each: -each.size_bytes)
    named = ", ".join(f'{each.role} of "{each.step}" ({each.size_bytes:,} B)' for each in largest[:_NAMED_CONSTANTS])
    raise DoesNotFit(
        where=f'node "{largest[0].step}"',
        reason=(
            f"the weights need {needed_bytes:,} B, but {_told(regions)} of board {board} "
            f"{'has' if len(regions) == 1 else 'have'} {capacity_bytes:,} B for them, {excess_bytes:,} B too few; "
            f"the largest are {named}"
        ),
        remedy=f"{_int8_remedy(schedule, stored)}make these layers smaller, "
        "or choose a board with more memory for weights",
    )


def _told(regions: Sequence[TargetRegion]) -> str:
    names = " and ".join(region.name for region in regions)
    return f"region{'s' if len(regions) > 1 else ''} {names}"


def _is_quantised(schedule: Schedule) -> bool:
    """Whether a tensor is quantised already: `quantize` then has nothing to do."""
    values = (value for step in schedule.steps for value in (*step.node.inputs, *step.node.outputs))
    return any(value.type.quant is not None for value in values)


def _int8_remedy(schedule: Schedule, stored: list[_Stored]) -> str:
    """What int8 would make of weights that are floats, in a model of floats; a bias stays as wide as it is."""
    spared_bytes = sum(3 * each.size_bytes // 4 for each in stored if each.is_float and each.role != "bias")
    if not spared_bytes or _is_quantised(schedule):
        return ""
    left_bytes = sum(each.size_bytes for each in stored) - spared_bytes
    return f'quantize = "int8" would make them about {left_bytes:,} B, '


def _stored(schedule: Schedule) -> list[_Stored]:
    """Every constant, each once however many steps read it."""
    kept = {value.name: digest for value, digest in schedule.constant_values}
    first: dict[str, _Stored] = {}
    for step in schedule.steps:
        for digest, role, array in _read(step, schedule, kept):
            first.setdefault(digest, _Stored(step.node.name, role, int(array.nbytes), array.dtype == np.float32))
    return list(first.values())


def _read(step: Step, schedule: Schedule, kept: dict[str, str]) -> Iterator[tuple[str, str, Array]]:
    """(digest, role, array) of each constant that a step reads: prepared for its kernel, or a constant operand."""
    for argument in step.call.arguments:
        if argument.place is Place.CONSTANT:
            constant = step.call.constants[argument.index]
            yield digest_of(constant.array), constant.role, constant.array
        elif argument.place is Place.INPUT and (value := step.node.inputs[argument.index]).name in kept:
            digest = kept[value.name]
            yield digest, value.name, schedule.constants[digest]
