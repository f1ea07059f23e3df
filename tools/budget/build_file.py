# SPDX-License-Identifier: Apache-2.0
"""Edits one budget in the text of a BUILD file, and leaves every other byte alone.

The budget is looked for in the call that has the test's name, as `flash = "24KiB"`; where a macro of the package's own
makes the test, in the whole file, also as an entry `"flash": "24KiB"` of a dictionary. It has to be there exactly once.
"""

from __future__ import annotations

import re

_PIECE = re.compile(r"""\"\"\".*?\"\"\"|'''.*?'''|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\#[^\n]*|[()]""", re.DOTALL)


class NoSuchBudget(Exception):
    """The budget is not there, or more than once; the message is a sentence."""


def with_budget(text: str, test: str, budget: str, old: str, new: str) -> str:
    """The text with the budget of a test replaced.

    Args:
        text: the BUILD file.
        test: the test's name.
        budget: the attribute, for instance "flash".
        old: its value as it is written there.
        new: what to write instead.

    Raises:
        NoSuchBudget: there is not exactly one place to write to.
    """
    start, end = _call(text, test) or (0, len(text))
    places = [match for match in _assignments(budget, old).finditer(text, start, end) if _is_code(text, match.start())]
    if len(places) != 1:
        found = "is nowhere" if not places else f"is there {len(places)} times"
        raise NoSuchBudget(f'{budget} = "{old}" {found}, so write {budget} = "{new}" where it belongs')
    return text[: places[0].start("value")] + new + text[places[0].end("value") :]


def _assignments(budget: str, old: str) -> re.Pattern[str]:
    return re.compile(rf"""(?:\b{budget}\s*=|"{budget}"\s*:)\s*"(?P<value>{re.escape(old)})\"""")


def _call(text: str, test: str) -> tuple[int, int] | None:
    """The innermost call that holds `name = "<test>"`, from its opening to its closing parenthesis."""
    names = [m.start() for m in re.finditer(rf'\bname\s*=\s*"{re.escape(test)}"', text) if _is_code(text, m.start())]
    spans = [(start, end) for name in names for start, end in _parentheses(text) if start < name < end]
    return max(spans, default=None)


def _parentheses(text: str) -> list[tuple[int, int]]:
    """The spans between matching parentheses, those in strings and comments aside."""
    spans, opened = [], []
    for piece in _PIECE.finditer(text):
        if piece[0] == "(":
            opened.append(piece.start())
        elif piece[0] == ")" and opened:
            spans.append((opened.pop(), piece.end()))
    return spans


def _is_code(text: str, position: int) -> bool:
    """Whether a position is in no comment and not within a string; the start of a string is code."""
    return not any(piece.start() < position < piece.end() for piece in _PIECE.finditer(text))
