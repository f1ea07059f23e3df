# SPDX-License-Identifier: Apache-2.0
"""The deviations that docs/misra.md states, row by row of its table."""

from __future__ import annotations

import fnmatch
import re
from dataclasses import dataclass

from tests.misra.checker import Violation

_ROW = re.compile(r"^\| (?P<rule>\d+\.\d+) \| (?P<places>[^|]+) \| (?P<reason>[^|]+) \|$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Deviation:
    """A rule that some files may break.

    Attributes:
        rule: for instance "10.1".
        places: patterns of paths as a Violation has them.
        reason: why.
    """

    rule: str
    places: tuple[str, ...]
    reason: str

    def covers(self, violation: Violation) -> bool:
        """Whether the violation is one of those stated."""
        return violation.rule == self.rule and any(fnmatch.fnmatch(violation.path, place) for place in self.places)


def deviations(page: str) -> list[Deviation]:
    """The rows of the page's table."""
    return [
        Deviation(row["rule"], tuple(re.findall(r"`([^`]+)`", row["places"])), row["reason"].strip())
        for row in _ROW.finditer(page)
    ]
