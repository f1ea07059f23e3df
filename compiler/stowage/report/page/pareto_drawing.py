# SPDX-License-Identifier: Apache-2.0
"""Plans as dots, arenas across and instructions up, with what a limit costs, and the end of the board's RAM.

Across everything is in percent and up in pixels, as in the drawing of a plan.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

from stowage.report.page.markup import Markup, element, of_bytes
from stowage.report.page.plan_drawing import round_step
from stowage.report.pareto_record import ParetoRecord

_HEIGHT, _ABOVE, _BELOW = 320, 30, 44
"""Pixels of the drawing, and of what is written above and below it."""
_MARGIN = 0.06
_NEAR = 1.5
"""The region's end is drawn where it is at most so many times the largest arena."""
_RADIUS = 6
Point = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Axes:
    """Where things are drawn.

    Attributes:
        most_bytes: the right edge; the left one is no byte at all.
        least: instructions at the lower edge.
        most: instructions at the upper edge.
    """

    most_bytes: float
    least: float
    most: float

    def across(self, size_bytes: float) -> str:
        """The place of an arena, in percent."""
        return f"{100 * size_bytes / self.most_bytes:.3f}%"

    def up(self, instructions: float) -> str:
        """The place of so many instructions, in pixels from the top."""
        return f"{_ABOVE + _HEIGHT * (self.most - instructions) / (self.most - self.least):.2f}"


def pareto_drawing(record: ParetoRecord) -> Markup:
    """Axis and drawing, side by side."""
    axes, height = axes_of(record), _ABOVE + _HEIGHT + _BELOW
    drawing = element(
        "svg",
        element("title", f"Arenas and instructions of {record['model']}", id="plans-title"),
        *_frame(),
        *_arenas(axes),
        *_stairs(axes, record),
        *_capacity(axes, record),
        *(_mark(axes, point, number) for number, point in enumerate(record["points"])),
        id="plans",
        width="100%",
        height=height,
        role="group",
        aria_labelledby="plans-title",
    )
    axis = element("svg", *_instructions(axes), class_="axis", width=84, height=height, aria_hidden="true")
    return element("div", axis, drawing, class_="plan")


def axes_of(record: ParetoRecord) -> Axes:
    """Room for all plans, and for the end of the board's RAM where that is near."""
    arenas = [point["arena_bytes"] for point in record["points"]]
    instructions = [point["estimated_instructions"] for point in record["points"]]
    widest = max(1, *arenas, record["capacity_bytes"] if shows_capacity(record) else 0)
    margin = _MARGIN * (max(instructions) - min(instructions) or max(1, instructions[0]))
    return Axes(widest * (1 + _MARGIN), min(instructions) - margin, max(instructions) + margin)


def shows_capacity(record: ParetoRecord) -> bool:
    """Whether the end of the board's RAM is in the drawing."""
    arenas = [point["arena_bytes"] for point in record["points"]]
    return bool(record["capacity_bytes"] <= _NEAR * max(arenas))


def named(point: Point) -> str:
    """What a plan is, for instance "11 layers by 2 rows"."""
    return str(point["in_stripes"]) if point["stripes"] else "layer by layer"


def told_more(point: Point) -> str:
    """How many more instructions it takes than layer by layer."""
    return f"{point['more_instructions']:+.2%}"


def _mark(axes: Axes, point: Point, number: int) -> Markup:
    data = {
        "name": named(point),
        "arena": of_bytes(point["arena_bytes"]),
        "instructions": f"{point['estimated_instructions']:,} ({told_more(point)}), estimated",
        "steps": f"{point['steps']:,}",
    }
    label = f"{data['name']}: arena {data['arena']}, instructions {data['instructions']}, {data['steps']} steps"
    place = {"cx": axes.across(point["arena_bytes"]), "cy": axes.up(point["estimated_instructions"])}
    kind = f"mark {'striped' if point['stripes'] else 'plain'}{'' if point['fits'] else ' unfit'}"
    dot = element("circle", r=_RADIUS, **place)
    told = {f"data-{key}": text for key, text in data.items()}
    tabindex = -1 if number else 0
    return element(
        "g", element("title", label), dot, class_=kind, role="img", tabindex=tabindex, aria_label=label, **told
    )


def _stairs(axes: Axes, record: ParetoRecord) -> Iterator[Markup]:
    """What a limit between two arenas costs: as much as the smaller of them."""
    for larger, smaller in pairwise(record["points"]):
        right, left = axes.across(larger["arena_bytes"]), axes.across(smaller["arena_bytes"])
        low, high = axes.up(larger["estimated_instructions"]), axes.up(smaller["estimated_instructions"])
        yield element("line", x1=left, y1=high, x2=right, y2=high, class_="stair")
        yield element("line", x1=right, y1=high, x2=right, y2=low, class_="stair")


def _capacity(axes: Axes, record: ParetoRecord) -> Iterator[Markup]:
    if shows_capacity(record):
        place = axes.across(record["capacity_bytes"])
        anchor = "end" if 2 * record["capacity_bytes"] > axes.most_bytes else "start"
        text = f"end of {record['region']}: {of_bytes(record['capacity_bytes'])}"
        yield element("line", x1=place, y1=_ABOVE, x2=place, y2=_ABOVE + _HEIGHT, class_="capacity")
        yield element("text", text, x=place, y=_ABOVE - 10, text_anchor=anchor, class_="peak-label")


def _frame() -> Iterator[Markup]:
    floor = _ABOVE + _HEIGHT
    yield element("line", x1=0, y1=floor, x2="100%", y2=floor, class_="frame")
    yield element("line", x1=0, y1=_ABOVE, x2=0, y2=floor, class_="frame")
    yield element("text", "arena in bytes", x="100%", y=floor + 36, text_anchor="end")


def _arenas(axes: Axes) -> Iterator[Markup]:
    """Round sizes; fewer than six, so that there is room for them in a narrow window."""
    step = 2 * round_step(round(axes.most_bytes))
    for size_bytes in range(0, round(axes.most_bytes), step):
        anchor = "start" if not size_bytes else "end" if size_bytes > 0.9 * axes.most_bytes else "middle"
        place = axes.across(size_bytes)
        yield element("text", of_bytes(size_bytes), x=place, y=_ABOVE + _HEIGHT + 18, text_anchor=anchor)


def _instructions(axes: Axes) -> Iterator[Markup]:
    yield element("text", "instructions", x=76, y=_ABOVE - 12, text_anchor="end")
    step = round_step(max(1, round(axes.most - axes.least)))
    first = -(-round(axes.least) // step) * step
    for count in range(first, round(axes.most), step):
        yield element("text", f"{count:,}", x=76, y=f"{float(axes.up(count)) + 4:.2f}", text_anchor="end")
