# SPDX-License-Identifier: Apache-2.0
"""What a model's plan and program know of the pool whose arena they share: whose bytes else are in it."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Foreign:
    """Bytes of the arena that are not the model's own: another model's state, or a buffer of the caller's.

    Attributes:
        name: what they hold, for people.
        offset_bytes: from the start of the arena.
        size_bytes: how many there are.
        is_kept: whether a run leaves them as they are; else it may use them up, but no input or output lies there.
    """

    name: str
    offset_bytes: int
    size_bytes: int
    is_kept: bool


@dataclass(frozen=True, slots=True)
class Share:
    """A model's part in a pool.

    Attributes:
        pool: C identifier of the pool, whose arena it is.
        foreign: all bytes that are others'.
    """

    pool: str
    foreign: tuple[Foreign, ...]
