# SPDX-License-Identifier: Apache-2.0
"""Arena bytes against estimated instructions, as text and as JSON; `page/pareto_page.py` makes the page."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType

from stowage.report.page.pareto_page import pareto_page
from stowage.report.pareto_record import ParetoRecord

_BAR_CHARACTERS = 30


def pareto_text(record: ParetoRecord) -> str:
    """A line a plan, the one without stripes first."""
    return "\n".join(_lines(record)) + "\n"


def pareto_json(record: ParetoRecord) -> str:
    """All that is known of every plan; instructions are estimates."""
    return json.dumps(record, indent=2) + "\n"


FORMATS: Mapping[str, Callable[[ParetoRecord], str]] = MappingProxyType(
    {"text": pareto_text, "json": pareto_json, "html": pareto_page}
)
"""Printers by the name of what they print."""


def _lines(record: ParetoRecord) -> Iterator[str]:
    yield f"{record['model']}: what less memory costs; arenas are planned, instructions estimated"
    yield f"region {record['region']} of board {record['board']} has {record['capacity_bytes']:,} B for the arena"
    yield f"  {'arena':>12} {'':<{_BAR_CHARACTERS}} {'instructions':>14} {'more':>8} {'steps':>6}  in stripes"
    most_bytes = max(point["arena_bytes"] for point in record["points"])
    for point in record["points"]:
        bar = "#" * round(_BAR_CHARACTERS * point["arena_bytes"] / most_bytes)
        yield (
            f"  {point['arena_bytes']:>10,} B {bar:<{_BAR_CHARACTERS}} {point['estimated_instructions']:>14,} "
            f"{point['more_instructions']:>+8.2%} {point['steps']:>6}  {point['in_stripes']}"
            f"{'' if point['fits'] else '; does not fit the board'}"
        )
