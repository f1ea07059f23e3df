# SPDX-License-Identifier: Apache-2.0
"""What each technique saved, as a table whose bars come down like a waterfall."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from stowage.report.memory_record import Record
from stowage.report.page.markup import Markup, element, of_bytes
from stowage.report.page.tables import table

_EXPLAINED = {
    "every tensor for itself": "the sum of all tensors and scratch buffers",
    "fused and dead left out": "the same without sums that a convolution takes in, and without channels that are zero",
    "bytes used again": "what is dead makes room: the model's own order of steps, first place that is free",
    "order of steps": "the same in the order that the search for an order has chosen",
    "outputs over inputs": "outputs may lie over inputs that die, as far as the kernels' safe distances let them",
    "stripes of rows": "wide tensors made a few rows at a time, and never whole",
    "made in place": "parts are written where the whole has them, and what is cut out of a tensor stays in it",
    "weights ahead of steps": "what DMA brings from slower memory has a place from the start of its copy on",
    "search for offsets": "the plan: places searched for, instead of the first that is free",
    "part in further arenas": "the plan: everything lies where it costs least, in all regions that may be used",
    "in the pool's arena": "what all models and the caller keep, and what the hungriest model needs beside it",
}


def waterfall_chart(record: Record) -> Markup:
    """A row a technique: what the arena takes with it and all before it, and what it saved."""
    stages = record["saved"]
    top = max(stage["arena_bytes"] + max(0, stage["saved_bytes"]) for stage in stages)
    rows = [
        (
            _technique(stage["technique"]),
            _bar(stage, top),
            of_bytes(stage["arena_bytes"]),
            _saved(stage) if number else "",
        )
        for number, stage in enumerate(stages)
    ]
    return table("What each technique saved", ("Technique", "", "Arena", "Change"), rows, figures=(2, 3))


def _technique(name: str) -> Markup:
    return element("span", name, element("small", _EXPLAINED[name]), class_="technique")


def _bar(stage: Mapping[str, Any], top: int) -> Markup:
    """What is left, and what the technique took away or added."""
    arena, saved = stage["arena_bytes"], stage["saved_bytes"]
    left = min(arena, arena + saved)
    bars = [_part("left", 0, left, top)]
    if saved:
        bars.append(_part("saved" if saved > 0 else "added", left, abs(saved), top))
    return element("svg", *bars, width="100%", height=22, role="presentation", class_="bar")


def _part(kind: str, start: int, size: int, top: int) -> Markup:
    return element("rect", x=f"{100 * start / top:.3f}%", y=2, width=f"{100 * size / top:.3f}%", height=18, class_=kind)


def _saved(stage: Mapping[str, Any]) -> str:
    saved = stage["saved_bytes"]
    if not saved:
        return "0\N{NO-BREAK SPACE}B"
    return ("\N{MINUS SIGN}" if saved > 0 else "+") + of_bytes(abs(saved))
