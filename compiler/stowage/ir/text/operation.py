# SPDX-License-Identifier: Apache-2.0
"""The tree that MLIR's generic operation syntax spells: what every level's dump is made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from stowage.ir.graph import Value
from stowage.ir.text.attributes import Attribute


@dataclass(frozen=True, slots=True)
class Block:
    """A region of one block: its arguments and its operations in order."""

    arguments: tuple[Value, ...]
    operations: tuple[Operation, ...]


@dataclass(frozen=True, slots=True)
class Operation:
    """``%results = "name"(%operands) ({block}) {attributes} : (types) -> types``.

    Attributes:
        name: with its dialect, for instance "stowage.conv2d".
        operands: values that are read.
        results: values that are made.
        attributes: by name.
        block: the one region that the operation holds, or None.
    """

    name: str
    operands: tuple[Value, ...] = ()
    results: tuple[Value, ...] = ()
    attributes: Mapping[str, Attribute] = field(default_factory=dict)
    block: Block | None = None
