# SPDX-License-Identifier: Apache-2.0
"""The verdict on one firmware: used, limit, headroom and who takes most; the same table on pass and failure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

SHOWN_CONTRIBUTORS = 6
Shares = tuple[tuple[str, int], ...]


@dataclass(frozen=True, slots=True)
class Item:
    """A budget and what was measured against it.

    Attributes:
        name: the rule's attribute: "flash", "ram", "stack" or "instructions"; or "ram in " and a region.
        used: what was measured.
        limit: the budget, or None where none is set.
        unit: "B" or "instructions".
        purposes: (what for, how much), largest first, together `used`; empty where that says no more than
        `contributors`.
        contributors: (who, how much), largest first.
    """

    name: str
    used: int
    limit: int | None
    unit: str
    purposes: Shares
    contributors: Shares

    @property
    def written_as(self) -> str:
        """What the budget is called in a BUILD file: the attribute, or the region."""
        return self.name.rpartition(" ")[2]

    @property
    def within(self) -> bool:
        """Whether the budget is kept."""
        return self.limit is None or self.used <= self.limit


def passes(items: Iterable[Item]) -> bool:
    """Whether every budget is kept."""
    return all(item.within for item in items)


def table(firmware: str, test: str, items: tuple[Item, ...]) -> str:
    """The report for people; on failure with the command that accepts the new figures.

    Args:
        firmware: its label.
        test: the label of the test.
        items: what was measured.
    """
    lines = [f"Budgets of {firmware}", "", *_rows(items)]
    for item in items:
        lines += ["", f"  {item.name}, {item.used:,} {item.unit}", *_shares("for", item, item.purposes)]
        lines += _shares("largest contributors", item, item.contributors[:SHOWN_CONTRIBUTORS])
    return "\n".join([*lines, "", *_verdict(test, items)]) + "\n"


def _rows(items: tuple[Item, ...]) -> Iterator[str]:
    width = max(14, *(len(item.name) + 2 for item in items))
    yield f"  {'budget':<{width}}{'used':>14}{'limit':>14}{'headroom':>14}"
    for item in items:
        limit = "none" if item.limit is None else f"{item.limit:,}"
        headroom = "" if item.limit is None else f"{item.limit - item.used:,}"
        mark = "" if item.within else "  OVER"
        yield f"  {item.name:<{width}}{item.used:>14,}{limit:>14}{headroom:>14} {item.unit}{mark}"


def _shares(title: str, item: Item, shares: Shares) -> Iterator[str]:
    if shares:
        yield f"    {title}"
    for name, amount in shares:
        share = 100 * amount / item.used if item.used else 0.0
        yield f"    {amount:>12,}  {share:5.1f} %  {name}"


def _verdict(test: str, items: tuple[Item, ...]) -> Iterator[str]:
    over = [item for item in items if item.limit is not None and not item.within]
    if not over:
        yield "All budgets are kept."
        return
    for item in over:
        excess = item.used - (item.limit or 0)
        largest = item.contributors[0][0] if item.contributors else "nothing that has a name"
        yield f"{item.name} is over its budget by {excess:,} {item.unit}; the largest contributor is {largest}."
    yield f"To accept the new figures: bazel run {test}.accept"
