# SPDX-License-Identifier: Apache-2.0
"""Generated C as tokens, and a cursor over them that takes what is expected and nothing else."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from functools import cache

import numpy as np

Number = int | float

_TOKEN = re.compile(
    r"""
    (?P<comment>/\*.*?\*/)
    | (?P<include>\#include\ ["<](?P<header>[\w./]+)[">]\n)
    | (?P<string>"[^"\\\n]*")
    | (?P<number>(?:0x[0-9a-fA-F]+|\d+\.?\d*(?:e[+-]?\d+)?)(?:ULL|LL|U|u|f)?)
    | (?P<name>[A-Za-z_]\w*)
    | (?P<mark>!=|==|\|\||\+\+|[-+*/%&!<>=(){}\[\];,.])
    | (?P<space>\s+)
    """,
    re.VERBOSE | re.DOTALL,
)


class Unreadable(Exception):
    """The text is not what Stowage writes."""


def spans(text: str) -> Iterator[tuple[int, int]]:
    """Where each token of a source begins and ends; comments and space are none, an `#include` is one.

    Raises:
        Unreadable: there is something that generated C has not.
    """
    place = 0
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise Unreadable(f"no token at {text[place : place + 20]!r}")
        if not found["comment"] and not found["space"]:
            yield place, found.end()
        place = found.end()


def tokens(text: str) -> Iterator[str]:
    """The tokens of a source.

    Raises:
        Unreadable: there is something that generated C has not.
    """
    for begin, end in spans(text):
        token = text[begin:end]
        yield f"#include {token.split()[1][1:-1]}" if token.startswith("#") else token


@cache
def _expected(text: str) -> list[str]:
    """The tokens of what a reader looks for, again and again."""
    return list(tokens(text))


class Cursor:
    """A place among tokens."""

    def __init__(self, text: str) -> None:
        self._tokens = list(tokens(text))
        self._place = 0

    @property
    def next(self) -> str:
        """The token here, or nothing at the end."""
        return self._tokens[self._place] if self._place < len(self._tokens) else ""

    def sees(self, text: str) -> bool:
        """Whether these tokens come next."""
        expected = _expected(text)
        return self._tokens[self._place : self._place + len(expected)] == expected

    def take(self, text: str) -> None:
        """Goes beyond these tokens.

        Raises:
            Unreadable: others are there.
        """
        if not self.sees(text):
            raise Unreadable(f"{text!r} should be at {' '.join(self._tokens[self._place : self._place + 12])!r}")
        self._place += len(_expected(text))

    def maybe(self, text: str) -> bool:
        """Goes beyond these tokens if they are there; whether they were."""
        found = self.sees(text)
        if found:
            self.take(text)
        return found

    def name(self) -> str:
        """Goes beyond an identifier."""
        if not re.fullmatch(r"[A-Za-z_]\w*", self.next):
            raise Unreadable(f"{self.next!r} should be a name")
        self._place += 1
        return self._tokens[self._place - 1]

    def string(self) -> str:
        """Goes beyond a string; its text."""
        if not self.next.startswith('"'):
            raise Unreadable(f"{self.next!r} should be a string")
        self._place += 1
        return self._tokens[self._place - 1][1:-1]

    def unsigned(self) -> int:
        """Goes beyond a plain unsigned number."""
        if not re.fullmatch(r"\d+u", self.next):
            raise Unreadable(f"{self.next!r} should be an unsigned number")
        self._place += 1
        return int(self._tokens[self._place - 1][:-1])

    def plain(self) -> int:
        """Goes beyond a number without a suffix."""
        if not self.next.isdigit():
            raise Unreadable(f"{self.next!r} should be a number")
        self._place += 1
        return int(self._tokens[self._place - 1])

    def count(self, token: str) -> int:
        """How often a token is still to come."""
        return self._tokens[self._place :].count(token)

    def include(self) -> str:
        """Goes beyond an `#include`; the header."""
        if not self.next.startswith("#include "):
            raise Unreadable(f"{self.next!r} should be an include")
        self._place += 1
        return self._tokens[self._place - 1].removeprefix("#include ")

    def number(self) -> Number:
        """Goes beyond a number, which may be a sum in brackets, up to the comma, bracket or brace after it."""
        begin, depth = self._place, 0
        while depth or self.next not in (",", "}", ")", "]", ";"):
            if not self.next:
                raise Unreadable("no end of a number")
            depth += (self.next == "(") - (self.next == ")")
            self._place += 1
        return _number(self._tokens[begin : self._place])


def _number(spelled: list[str]) -> Number:
    """The sum of signed terms."""
    if spelled[:1] == ["("] and spelled[-1:] == [")"]:
        spelled = spelled[1:-1]
    if spelled[:4] == ["-", "(", "double", ")"] or spelled[:3] == ["(", "double", ")"]:
        spelled = [each for each in spelled if each not in ("(", "double", ")")]
    total: Number = 0
    sign, wants_term = 1, True
    for token in spelled:
        if token in ("-", "+") and (wants_term is False or sign == 1):
            sign, wants_term = (-1 if token == "-" else 1), True
        elif wants_term:
            total, sign, wants_term = total + sign * _term(token), 1, False
        else:
            raise Unreadable(f"{' '.join(spelled)!r} is no number")
    if wants_term:
        raise Unreadable(f"{' '.join(spelled)!r} is no number")
    return -0.0 if spelled in (["-", "0.0f"], ["-", "0.0"]) else total


def _term(token: str) -> Number:
    if token in ("STW_INFINITY", "STW_NAN"):
        return math.inf if token == "STW_INFINITY" else math.nan
    if re.fullmatch(r"\d+(?:ULL|LL|U|u)?", token):
        return int(token.rstrip("ULu"))
    if re.fullmatch(r"\d+\.\d*(?:e[+-]?\d+)?f?|\d+e[+-]?\d+f?", token):
        return float(np.float32(token[:-1])) if token.endswith("f") else float(token)
    raise Unreadable(f"{token!r} is no number")
