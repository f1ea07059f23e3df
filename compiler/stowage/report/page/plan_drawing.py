# SPDX-License-Identifier: Apache-2.0
"""The plan as a drawing: steps across, addresses up, every buffer a rectangle.

Across everything is in percent and up in pixels, so that the drawing takes any width and its text stays as it is.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from stowage.report.memory_record import Record
from stowage.report.page.markup import Markup, element, joined, of_bytes

_HEIGHT, _ABOVE, _BELOW = 400, 26, 24
"""Pixels of the arena, and of what is written above and below it."""
_NEAR = 1.5
"""The region's end is drawn where it is at most so many times as high as the arena."""
_TICKS = 8


@dataclass(frozen=True, slots=True)
class Scale:
    """Where things are drawn.

    Attributes:
        moments: columns across.
        top_bytes: the address at the upper edge.
    """

    moments: int
    top_bytes: int

    def across(self, moment: int) -> float:
        """The left edge of a moment's column, in percent."""
        return 100 * moment / self.moments

    def up(self, offset_bytes: int) -> float:
        """The height of an address, in pixels from the top."""
        return _ABOVE + _HEIGHT * (1 - offset_bytes / self.top_bytes)

    def box(self, first: int, last: int, start_bytes: int, end_bytes: int) -> dict[str, str]:
        """The attributes of a rectangle from the moment `first` to `last`, and from one address to another."""
        width = 100 * (last + 1 - first) / self.moments
        height = max(_HEIGHT * (end_bytes - start_bytes) / self.top_bytes, 1.0)
        return {
            "x": f"{self.across(first):.4f}%",
            "y": f"{self.up(end_bytes):.2f}",
            "width": f"{width:.4f}%",
            "height": f"{height:.2f}",
        }


def plan_drawing(record: Record) -> Markup:
    """Axis and drawing, side by side."""
    scale = scale_of(record)
    height = _ABOVE + _HEIGHT + _BELOW
    drawing = element(
        "svg",
        element("title", f"Memory plan of {record['model']}", id="plan-title"),
        element("desc", _described(record), id="plan-description"),
        _hatching(),
        *_ticks(scale),
        *(_buffer(scale, record, buffer, number) for number, buffer in enumerate(record["buffers"])),
        *_shared(scale, record["buffers"]),
        *_capacity(scale, record),
        *_peak(scale, record),
        id="plan",
        width="100%",
        height=height,
        role="group",
        aria_labelledby="plan-title",
        aria_describedby="plan-description",
    )
    axis = element("svg", *_addresses(scale), class_="axis", width=84, height=height, aria_hidden="true")
    return element("div", axis, drawing, class_="plan")


def scale_of(record: Record) -> Scale:
    """Columns for all moments; up to the end of the arena, or its region where that is near, or of further arenas."""
    if record.get("further_arenas"):
        ends = (buffer["offset_bytes"] + buffer["size_bytes"] for buffer in record["buffers"])
        return Scale(len(record["timeline"]), max(1, *ends))
    arena = max(1, record["arena_bytes"])
    capacity = record["regions"][0]["capacity_bytes"]
    return Scale(len(record["timeline"]), capacity if arena <= capacity <= _NEAR * arena else arena)


def _described(record: Record) -> str:
    return (
        f"{record['steps']:,} steps from left to right, the {of_bytes(record['arena_bytes'])} of the arena from bottom "
        f"to top, {len(record['buffers']):,} buffers as rectangles. Arrow keys go from one to the next."
    )


def _hatching() -> Markup:
    stroke = element("path", d="M0 6 6 0", class_="hatch")
    return element("defs", element("pattern", stroke, id="hatch", width=6, height=6, patternUnits="userSpaceOnUse"))


def _buffer(scale: Scale, record: Record, buffer: Mapping[str, Any], number: int) -> Markup:
    start, end = buffer["offset_bytes"], buffer["offset_bytes"] + buffer["size_bytes"]
    told = {
        "name": buffer["name"],
        "type": buffer["type"] or buffer["kind"],
        "kind": buffer["kind"],
        "life": life_of(record, buffer),
        "place": f"bytes {start:,} to {end - 1:,}",
        "size": of_bytes(buffer["size_bytes"]),
        "over": ", ".join(buffer["over"]),
    }
    over = f"; lies over {told['over']}" if told["over"] else ""
    label = f"{told['name']}: {told['type']}, {told['size']}, {told['place']}, {told['life']}{over}"
    return element(
        "g",
        element("title", label),
        element("rect", **scale.box(buffer["first"], buffer["last"], start, end)),
        class_=f"buffer {buffer['kind']}",
        role="img",
        tabindex=-1 if number else 0,
        aria_label=label,
        **{f"data-{key}": text for key, text in told.items()},
    )


def life_of(record: Record, buffer: Mapping[str, Any]) -> str:
    """For instance "step 3 to step 5"."""
    ends = [moment_name(record, buffer[end]) for end in ("first", "last")]
    return ends[0] if ends[0] == ends[1] else " to ".join(ends)


def moment_name(record: Record, moment: int) -> str:
    """A step's number, or whose moment it is; where several models are side by side, as the record has it."""
    if name := record["timeline"][moment].get("moment"):
        return str(name)
    return {0: "inputs", len(record["timeline"]) - 1: "outputs"}.get(moment, f"step {moment}")


def _shared(scale: Scale, buffers: Sequence[Mapping[str, Any]]) -> Iterator[Markup]:
    """The bytes that two buffers share while both live."""
    by_name = {buffer["name"]: buffer for buffer in buffers}
    for buffer in buffers:
        for other in (by_name[name] for name in buffer["over"]):
            start = max(each["offset_bytes"] for each in (buffer, other))
            end = min(each["offset_bytes"] + each["size_bytes"] for each in (buffer, other))
            last = min(buffer["last"], other["last"])
            yield element("rect", class_="shared", **scale.box(buffer["first"], last, start, end))


def _peak(scale: Scale, record: Record) -> Iterator[Markup]:
    moment = record["peak"]["moment"]
    yield element("rect", class_="peak", **scale.box(moment, moment, 0, record["arena_bytes"]))
    middle = scale.across(moment) + 50 / scale.moments
    anchor = "start" if middle < 30 else "end" if middle > 70 else "middle"
    text = f"peak: {moment_name(record, moment)}, {of_bytes(record['peak']['used_bytes'])}"
    yield element("text", text, x=f"{middle:.4f}%", y=_ABOVE - 10, text_anchor=anchor, class_="peak-label")


def _capacity(scale: Scale, record: Record) -> Iterator[Markup]:
    region = record["regions"][0]
    if region["capacity_bytes"] == scale.top_bytes:
        height = f"{scale.up(scale.top_bytes):.2f}"
        yield element("line", x1="0", x2="100%", y1=height, y2=height, class_="capacity")
        text = f"end of {region['region']}"
        yield element("text", text, x="100%", y=_ABOVE + 14, text_anchor="end", class_="capacity-label")


def _ticks(scale: Scale) -> Iterator[Markup]:
    """Numbers of steps below their columns."""
    every = max(1, -(-scale.moments // _TICKS))
    for moment in range(0, scale.moments, every):
        middle = scale.across(moment) + 50 / scale.moments
        anchor = "start" if middle < 4 else "end" if middle > 96 else "middle"
        yield element("text", str(moment), x=f"{middle:.4f}%", y=_ABOVE + _HEIGHT + 16, text_anchor=anchor)


def _addresses(scale: Scale) -> Iterator[Markup]:
    """Round addresses, and the uppermost."""
    step = round_step(scale.top_bytes)
    below = (offset for offset in range(0, scale.top_bytes, step) if scale.top_bytes - offset > step // 3)
    for offset in (*below, scale.top_bytes):
        yield element("text", of_bytes(offset), x=76, y=f"{scale.up(offset) + 4:.2f}", text_anchor="end")


def round_step(top_bytes: int) -> int:
    """A 1, 2 or 5 with zeros, of which four to ten go into a number."""
    ten = int(10 ** (len(str(top_bytes)) - 1))
    steps = (ten // 10, ten // 5, ten // 2, ten)
    return next(step for step in (*steps, 2 * ten) if step and top_bytes <= 8 * step)


def legend(record: Record) -> Markup:
    """What the colours stand for, of those that there are."""
    kinds = [kind for kind in ("input", "tensor", "output", "state", "staged", "scratch") if _has(record, kind)]
    entries = [element("li", element("span", class_=f"swatch {kind}"), kind) for kind in kinds]
    if any(buffer["over"] for buffer in record["buffers"]):
        entries.append(element("li", element("span", class_="swatch over"), "bytes that an output takes over"))
    entries.append(element("li", element("span", class_="swatch peak"), "peak"))
    return element("ul", *entries, class_="legend")


def _has(record: Record, kind: str) -> bool:
    return any(buffer["kind"] == kind for buffer in record["buffers"])


def profile_drawing(record: Record) -> Markup:
    """The bytes in use at each moment, below the plan's columns."""
    scale, height = scale_of(record), 72
    bars = []
    for moment, entry in enumerate(record["timeline"]):
        size = height * entry["used_bytes"] / scale.top_bytes
        box = {**scale.box(moment, moment, 0, 1), "y": f"{height - size:.2f}", "height": f"{size:.2f}"}
        title = element("title", f"{moment_name(record, moment)}: {of_bytes(entry['used_bytes'])} in use")
        bars.append(element("rect", title, class_="used", **box))
    caption = element("text", "in use", x=76, y=height - 4, text_anchor="end")
    axis = element("svg", caption, class_="axis", width=84, height=height, aria_hidden="true")
    text = "Bytes of the arena in use at each step; the table of steps has the figures."
    drawing = element("svg", *bars, width="100%", height=height, role="img", aria_label=text)
    return element("div", axis, drawing, class_="plan")


def drawings(record: Record) -> Markup:
    """The plan with its legend, the place where a buffer is told of, and the profile."""
    hint = element("p", "Point at a rectangle, or tab to the drawing and use the arrow keys.", class_="hint")
    readout = element("div", hint, id="readout", aria_live="polite")
    return joined(legend(record), plan_drawing(record), profile_drawing(record), readout)
