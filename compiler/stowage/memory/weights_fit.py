# SPDX-License-Identifier: Apache-2.0
"""Whether a model's constants fit their region, and what to tell the user when they do not."""

from __future__ import annotations

from collections.abc import Iterator

from stowage.errors import DoesNotFit
from stowage.ir.graph import digest_of
from stowage.schedule.schedule import Schedule, Step
from stowage.target.board import Role
from stowage.target.kernels.kernel import Place
from stowage.target.target import Target

_NAMED_CONSTANTS = 3


def check_weights_fit(schedule: Schedule, target: Target) -> None:
    """Refuses constants that are larger than the board's preferred region for weights.

    Code may lie in the same region; whether both fit together is for the linker to say, which knows the code.

    Raises:
        DoesNotFit: names the region, the excess, the step with the largest constant, the largest constants, and what
            would help.
    """
    region = target.preferred(Role.WEIGHTS)
    stored = _stored(schedule)
    needed_bytes = sum(size for _, _, size in stored)
    excess_bytes = needed_bytes - region.capacity_bytes
    if excess_bytes <= 0:
        return
    largest = sorted(stored, key=lambda constant: -constant[2])
    named = ", ".join(f'{role} of "{step}" ({size:,} B)' for step, role, size in largest[:_NAMED_CONSTANTS])
    raise DoesNotFit(
        where=f'node "{largest[0][0]}"',
        reason=(
            f"the weights need {needed_bytes:,} B, but region {region.name} of board {target.board} "
            f"has {region.capacity_bytes:,} B for them, {excess_bytes:,} B too few; the largest are {named}"
        ),
        remedy=(
            "use an int8 model where this one is float32, make these layers smaller, "
            "or choose a board with more memory for weights"
        ),
    )


def _stored(schedule: Schedule) -> list[tuple[str, str, int]]:
    """(step, role, bytes) of every constant, each once however many steps read it."""
    kept = {value.name: digest for value, digest in schedule.constant_values}
    first: dict[str, tuple[str, str, int]] = {}
    for step in schedule.steps:
        for digest, role, size in _read(step, schedule, kept):
            first.setdefault(digest, (step.node.name, role, size))
    return list(first.values())


def _read(step: Step, schedule: Schedule, kept: dict[str, str]) -> Iterator[tuple[str, str, int]]:
    """(digest, role, bytes) of each constant that a step reads: prepared for its kernel, or a constant operand."""
    for argument in step.call.arguments:
        if argument.place is Place.CONSTANT:
            constant = step.call.constants[argument.index]
            yield digest_of(constant.array), constant.role, int(constant.array.nbytes)
        elif argument.place is Place.INPUT and (value := step.node.inputs[argument.index]).name in kept:
            digest = kept[value.name]
            yield digest, value.name, int(schedule.constants[digest].nbytes)
