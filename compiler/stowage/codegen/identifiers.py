# SPDX-License-Identifier: Apache-2.0
"""Parts of C identifiers from the names that models use, which hold slashes, colons and worse.

What comes out always stands behind a prefix that ends in an underscore, so that it may begin with a digit or be a word
of C. All are lower case and stay apart when made upper case for a macro.
"""

from __future__ import annotations

import re


def identifier(name: str) -> str:
    """Letters a to z, digits and single underscores that read like the name; "x" where it has none of them."""
    return re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "x"


class Names:
    """Gives each name an identifier of its own; the same name always gets the same one."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}
        self._taken: set[str] = set()

    def of(self, name: str) -> str:
        """The identifier of a name, with a number behind it where another name already has the plain one."""
        if name not in self._given:
            self._given[name] = self._fresh(identifier(name))
        return self._given[name]

    def _fresh(self, wish: str) -> str:
        candidate, count = wish, 1
        while candidate in self._taken:
            count += 1
            candidate = f"{wish}_{count}"
        self._taken.add(candidate)
        return candidate
