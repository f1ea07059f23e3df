# SPDX-License-Identifier: Apache-2.0
"""The tables of the page: the peak, memory by region, constants, steps and buffers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import Any

from stowage.report.memory_record import Record
from stowage.report.page.markup import Markup, element, of_bytes
from stowage.report.page.plan_drawing import life_of, moment_name


def table(title: str, columns: Sequence[str], rows: Iterable[Sequence[str]], figures: Collection[int] = ()) -> Markup:
    """A table that scrolls by itself where it is too wide.

    Args:
        title: what a screen reader says it is.
        columns: the headings.
        rows: cells.
        figures: the columns that are aligned to the right.
    """
    head = element("tr", *(_cell("th", text, index in figures, scope="col") for index, text in enumerate(columns)))
    body = (element("tr", *(_cell("td", text, index in figures) for index, text in enumerate(row))) for row in rows)
    inside = element("table", element("thead", head), element("tbody", *body))
    return element("div", inside, class_="table", role="region", aria_label=title, tabindex=0)


def _cell(tag: str, text: str, figure: bool, **attributes: str) -> Markup:
    return element(tag, text, **attributes, **({"class_": "figure"} if figure else {}))


def regions_table(record: Record) -> Markup:
    """What the model takes of the board's memory."""
    rows = [
        (
            each["region"],
            each["role"],
            of_bytes(each["used_bytes"]),
            of_bytes(each["capacity_bytes"]),
            _percent(each["used_bytes"], each["capacity_bytes"]),
        )
        for each in record["regions"]
    ]
    return table("Memory by region", ("Region", "Role", "Used", "Of", "Share"), rows, figures=(2, 3, 4))


def kinds_table(record: Record) -> Markup:
    """Flash of constants by what they are for."""
    rows = [
        (kind, of_bytes(size), _percent(size, record["weights_bytes"]))
        for kind, size in record["constant_kinds"].items()
    ]
    return table("Constants by kind", ("Constants", "Size", "Share"), rows, figures=(1, 2))


def constants_table(record: Record) -> Markup:
    """Every constant, the largest first."""
    largest_first = sorted(record["constants"], key=lambda each: (-each["bytes"], each["symbol"]))
    rows = [(element("code", each["symbol"]), each["kind"], of_bytes(each["bytes"])) for each in largest_first]
    return table("Constants", ("Symbol", "For", "Size"), rows, figures=(2,))


def peak_table(record: Record) -> Markup:
    """What is alive at the peak."""
    by_name = {buffer["name"]: buffer for buffer in record["buffers"]}
    return _buffers_table("Buffers of the peak", record, [by_name[each["name"]] for each in record["peak"]["buffers"]])


def buffers_table(record: Record) -> Markup:
    """All buffers in the order in which they come to life."""
    in_order = sorted(record["buffers"], key=lambda each: (each["first"], each["offset_bytes"], each["name"]))
    return _buffers_table("Buffers", record, in_order)


def steps_table(record: Record) -> Markup:
    """All moments with their bytes and their work."""
    rows = [
        (
            moment_name(record, moment),
            _name(entry["step"]) if entry["operator"] else "",
            entry["operator"],
            entry["result"],
            of_bytes(entry["used_bytes"]),
            of_bytes(entry["live_bytes"]),
            f"{entry['macs']:,}" if entry["macs"] else "",
        )
        for moment, entry in enumerate(record["timeline"])
    ]
    columns = ("", "Step", "Operator", "Result", "In use", "Alive, each in full", "Multiply-accumulates")
    return table("Steps", columns, rows, figures=(4, 5, 6))


def _buffers_table(title: str, record: Record, buffers: Iterable[Mapping[str, Any]]) -> Markup:
    rows = [
        (
            _name(each["name"]),
            each["kind"],
            each["type"],
            of_bytes(each["size_bytes"]),
            f"{each['offset_bytes']:,}",
            life_of(record, each),
        )
        for each in buffers
    ]
    columns = ("Buffer", "Kind", "Type and shape", "Size", "Offset in bytes", "Life")
    return table(title, columns, rows, figures=(3, 4))


def _name(name: str) -> Markup:
    return element("span", name, class_="name")


def _percent(part: int, whole: int) -> str:
    return f"{100 * part / whole:.1f}\N{NO-BREAK SPACE}%" if whole else ""
