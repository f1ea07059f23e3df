# SPDX-License-Identifier: Apache-2.0
"""A place in a board file: what a refusal names, and the checks that a single field can fail."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from stowage.errors import InvalidBoard

_IDENTIFIER = re.compile(r"[a-z][a-z0-9_]*\Z")

GRANULE_BYTES = 256
"""Regions and reservations start and end on a multiple of this, so that an MPU can draw the line."""

ADDRESS_SPACE_END = 1 << 32


@dataclass(frozen=True, slots=True)
class Field:
    """The field at `path` of the board file `file`, for example ``regions[sram].base``."""

    file: str
    path: str = ""

    def __truediv__(self, name: str) -> Field:
        """The field `name` of the message at this field."""
        return Field(self.file, f"{self.path}.{name}" if self.path else name)

    def __getitem__(self, key: str) -> Field:
        """The element that is called `key` of the list at this field."""
        return Field(self.file, f"{self.path}[{key}]")

    def refusal(self, reason: str, remedy: str) -> InvalidBoard:
        """The error that names this field."""
        return InvalidBoard(file=self.file, where=self.path, reason=reason, remedy=remedy)

    def identifier(self, value: str) -> str:
        """`value`, if it is a lower-case identifier."""
        if not _IDENTIFIER.match(value):
            raise self.refusal(f'"{value}" is not a name', "use lower-case letters, digits and underscores")
        return value

    def positive(self, value: int) -> int:
        """`value`, if it is given and above zero."""
        if value <= 0:
            raise self.refusal(f"is {value}" if value else "is missing or 0", "give a number above zero")
        return value

    def aligned(self, value: int) -> int:
        """`value`, if it is an address or size on a whole granule."""
        if value % GRANULE_BYTES:
            raise self.refusal(f"{value:#x} is not a multiple of {GRANULE_BYTES}", "round it to one")
        return value

    def one_of(self, value: str, known: Iterable[str]) -> str:
        """`value`, if it is one of `known`."""
        names = sorted(known)
        if value not in names:
            raise self.refusal(f'there is no "{value}"', f"use one of {', '.join(names) or '(none)'}")
        return value

    def unique(self, names: Iterable[str]) -> None:
        """Refuses a name that is there twice."""
        seen: set[str] = set()
        for name in names:
            if name in seen:
                raise self.refusal(f'"{name}" is there twice', "name each once")
            seen.add(name)
