# SPDX-License-Identifier: Apache-2.0
"""Arena bytes against estimated instructions, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict
from types import MappingProxyType

from stowage.tiles.front import Point
from stowage.tiles.tiling import told

_BAR_CHARACTERS = 30


def pareto_text(name: str, points: Sequence[Point]) -> str:
    """A line a plan, the one without stripes or else the largest first."""
    return "\n".join(_lines(name, points)) + "\n"


def pareto_json(name: str, points: Sequence[Point]) -> str:
    """All that is known of every plan; instructions are estimates."""
    record = {
        "model": name,
        "points": [
            {
                "arena_bytes": point.arena_bytes,
                "estimated_instructions": point.instructions,
                "steps": point.steps,
                "stripes": [asdict(segment) for segment in point.tiling],
            }
            for point in points
        ],
    }
    return json.dumps(record, indent=2) + "\n"


FORMATS: Mapping[str, Callable[[str, Sequence[Point]], str]] = MappingProxyType(
    {"text": pareto_text, "json": pareto_json}
)
"""Printers by the name of what they print."""


def _lines(name: str, points: Sequence[Point]) -> Iterator[str]:
    yield f"{name}: what less memory costs; arenas are planned, instructions estimated"
    yield f"  {'arena':>12} {'':<{_BAR_CHARACTERS}} {'instructions':>14} {'more':>8} {'steps':>6}  in stripes"
    least = min(point.instructions for point in points)
    most_bytes = max(point.arena_bytes for point in points)
    for point in points:
        bar = "#" * round(_BAR_CHARACTERS * point.arena_bytes / most_bytes)
        more = f"{(point.instructions - least) / max(1, least):+.2%}"
        yield (
            f"  {point.arena_bytes:>10,} B {bar:<{_BAR_CHARACTERS}} {point.instructions:>14,} {more:>8} "
            f"{point.steps:>6}  {told(point.tiling)}"
        )
