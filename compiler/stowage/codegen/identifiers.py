# SPDX-License-Identifier: Apache-2.0
"""C identifiers from the names that models use, which hold slashes, colons and worse."""

from __future__ import annotations

import re

_KEYWORDS = frozenset(
    [
        "auto",
        "break",
        "case",
        "char",
        "const",
        "continue",
        "default",
        "do",
        "double",
        "else",
        "enum",
        "extern",
        "float",
        "for",
        "goto",
        "if",
        "inline",
        "int",
        "long",
        "register",
        "restrict",
        "return",
        "short",
        "signed",
        "sizeof",
        "static",
        "struct",
        "switch",
        "typedef",
        "union",
        "unsigned",
        "void",
        "volatile",
        "while",
    ]
)


def identifier(name: str) -> str:
    """A valid C identifier that reads like the name: lower case, runs of other characters made one underscore."""
    text = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_") or "x"
    if text in _KEYWORDS:
        return f"{text}_"
    return text if text[0].isalpha() else f"n{text}"


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
