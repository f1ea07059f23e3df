# SPDX-License-Identifier: Apache-2.0
"""Names for values that a pass makes."""

from __future__ import annotations

from collections.abc import Iterable


class FreshNames:
    """Hands out names that are not taken yet: the one asked for, or that with a number behind."""

    def __init__(self, taken: Iterable[str]) -> None:
        self._taken = set(taken)
        self._copies: dict[str, int] = {}

    def take(self, name: str) -> str:
        """A name that was not taken, and now is."""
        candidate = name
        while candidate in self._taken:
            self._copies[name] = self._copies.get(name, 1) + 1
            candidate = f"{name}_{self._copies[name]}"
        self._taken.add(candidate)
        return candidate
