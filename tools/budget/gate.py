# SPDX-License-Identifier: Apache-2.0
"""The verdict on one firmware: used, limit, headroom and who takes most, for each budget; the same table on pass and failure."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

SHOWN_CONTRIBUTORS = 5


@dataclass(frozen=True, slots=True)
class Item:
    """A budget and what was measured against it.

    Attributes:
        name: the rule's attribute: "flash", "ram", "stack" or "instructions".
        used: what was measured.
        limit: the budget, or None where none is set.
        unit: "B" or "instructions".
        contributors: (what, how much), largest first.
    """

    name: str
    used: int
    limit: int | None
    unit: str
    contributors: tuple[tuple[str, int], ...]

    @property
    def within(self) -> bool:
        """Whether the budget is kept."""
        return self.limit is None or self.used <= self.limit


def passes(items: Iterable[Item]) -> bool:
    """Whether every budget is kept."""
    return all(item.within for item in items)


def table(firmware: str, items: tuple[Item, ...]) -> str:
    """The report for people, with the command's argument that would accept the new figures."""
    lines = [f"Budgets of {firmware}", "", *_rows(items), ""]
    for item in items:
        lines += [f"{item.name}: largest contributors", *_contributors(item), ""]
    return "\n".join([*lines, *_verdict(firmware, items)]) + "\n"


def _rows(items: tuple[Item, ...]) -> Iterator[str]:
    yield f"  {'budget':<14}{'used':>14}{'limit':>14}{'headroom':>14}"
    for item in items:
        limit = "none" if item.limit is None else f"{item.limit:,}"
        headroom = "" if item.limit is None else f"{item.limit - item.used:,}"
        mark = "" if item.within else "  OVER"
        yield f"  {item.name:<14}{item.used:>14,}{limit:>14}{headroom:>14} {item.unit}{mark}"


def _contributors(item: Item) -> Iterator[str]:
    for name, amount in item.contributors[:SHOWN_CONTRIBUTORS]:
        share = 100 * amount / item.used if item.used else 0.0
        yield f"  {amount:>14,} {item.unit}  {share:5.1f} %  {name}"


def _verdict(firmware: str, items: tuple[Item, ...]) -> Iterator[str]:
    over = [item for item in items if not item.within]
    if not over:
        yield "All budgets are kept."
        return
    for item in over:
        excess = item.used - (item.limit or 0)
        largest = item.contributors[0][0] if item.contributors else "nothing that has a name"
        yield f"{item.name} is over its budget by {excess:,} {item.unit}; the largest contributor is {largest}."
    changes = ", ".join(f'{item.name} = "{item.used}"' for item in over)
    yield f"To accept the new figures, write {changes} in the stowage_budget_test of {firmware}."
