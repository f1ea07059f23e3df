# SPDX-License-Identifier: Apache-2.0
"""The words of MLIR's generic operation syntax."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from stowage.ir.text.attributes import TextError

_KINDS = {
    "space": r"(?:\s|//[^\n]*)+",
    "string": r'"(?:[^"\\\n]|\\.)*"',
    "value": r"%[A-Za-z0-9_$.-]+",
    "block": r"\^[A-Za-z0-9_$.-]+",
    "float": r"[-+]?[0-9]+\.[0-9]*(?:[eE][-+]?[0-9]+)?",
    "bits": r"0x[0-9A-Fa-f]+",
    "integer": r"-?[0-9]+",
    "word": r"[A-Za-z_][A-Za-z0-9_$.]*",
    "mark": r"->|[][(){}<>,:=]",
    "end": r"\Z",
}
_TOKEN = re.compile("|".join(f"(?P<{kind}>{pattern})" for kind, pattern in _KINDS.items()))
_SHAPE = re.compile(r"\s*((?:[0-9]+x)*)")


@dataclass(frozen=True, slots=True)
class Token:
    """A word: its kind (a key of the table above), its text and where it starts."""

    kind: str
    text: str
    offset: int


class Lexer:
    """Walks over a text; `next` is the word to be read next."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._end = 0
        self.next = self._scan()

    def _scan(self) -> Token:
        match = _TOKEN.match(self._text, self._end)
        if match is None:
            raise self.error("a word of MLIR's generic syntax", self._end)
        start, self._end = self._end, match.end()
        return self._scan() if match.lastgroup == "space" else Token(str(match.lastgroup), match.group(), start)

    def take(self) -> Token:
        """Reads the next word."""
        token = self.next
        self.next = self._scan()
        return token

    def take_if(self, text: str) -> bool:
        """Reads the next word if it is `text`, and says whether it was."""
        found = self.next.text == text and self.next.kind != "string"
        if found:
            self.take()
        return found

    def expect(self, text: str) -> None:
        """Reads the next word, which must be `text`."""
        if not self.take_if(text):
            raise self.error(f"`{text}`")

    def expect_kind(self, kind: str) -> str:
        """Reads the next word, which must be of a kind, and returns its text."""
        if self.next.kind != kind:
            raise self.error(f"a {kind}")
        return self.take().text

    def take_shape(self) -> tuple[int, ...]:
        """Reads ``<`` and the extents of a tensor type, whose ``x`` no other rule knows."""
        if self.next.text != "<":
            raise self.error("`<`")
        match = _SHAPE.match(self._text, self._end)
        assert match is not None
        self._end = match.end()
        self.next = self._scan()
        return tuple(int(extent) for extent in match.group(1).split("x")[:-1])

    def comma_separated(self, close: str) -> Iterator[None]:
        """Yields before each element of a list, and reads the commas between them and the closing mark."""
        if self.take_if(close):
            return
        while True:
            yield
            if self.take_if(close):
                return
            self.expect(",")

    def error(self, expected: str, offset: int | None = None) -> TextError:
        """An error that says what was expected at the next word."""
        at = self.next.offset if offset is None else offset
        line, column = self._text.count("\n", 0, at) + 1, at - self._text.rfind("\n", 0, at)
        return TextError(f"line {line}, column {column}: expected {expected}")
