# SPDX-License-Identifier: Apache-2.0
"""What a legality rule reports."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from stowage.ir.graph import Graph


@dataclass(frozen=True, slots=True)
class Fault:
    """A broken rule: the node, value or graph at fault and what is wrong with it."""

    where: str
    reason: str


Rule = Callable[[Graph], Iterator[Fault]]
"""A legality rule: the faults that it finds in a graph."""
