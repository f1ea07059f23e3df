# SPDX-License-Identifier: Apache-2.0
"""Which steps read the same weights, so that one copy could serve them all: above all, the stripes of a layer."""

from __future__ import annotations

from collections.abc import Iterable

from stowage.ir.graph import digest_of
from stowage.schedule.schedule import Schedule
from stowage.target.kernels.kernel import KernelCall, Place
from stowage.transfers.cost_model import Candidate

Readers = tuple[Candidate, ...]
"""Those that read the same bytes, as the same constant of their calls, in the order in which they run."""


def sharing(schedule: Schedule, weights: Iterable[Candidate]) -> list[Readers]:
    """The weights by what they are, in the order of their first readers."""
    found: dict[tuple[str, str, int], list[Candidate]] = {}
    for each in weights:
        found.setdefault(_what(schedule.steps[each.moment - 1].call, each.constant), []).append(each)
    return [tuple(readers) for readers in found.values()]


def _what(call: KernelCall, constant: int) -> tuple[str, str, int]:
    """What a call reads as one of its constants, and as which."""
    ctype = next(a.ctype for a in call.arguments if (a.place, a.index) == (Place.CONSTANT, constant))
    return digest_of(call.constants[constant].array), ctype, constant
