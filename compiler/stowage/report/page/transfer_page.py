# SPDX-License-Identifier: Apache-2.0
"""The timeline of a model's transfers as one page of HTML that needs nothing else, not even a script."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from stowage.report.page.markup import Markup, element, joined, of_bytes
from stowage.report.page.tables import table

_ROOM = Path(__file__).parent
_POLICY = "default-src 'none'; style-src 'unsafe-inline'"
_ROW_HEIGHT, _GAP = 34, 26
_UNIT = "Times are units of the board's cost model: a multiply-accumulate, or a byte read at cost 1."


def transfer_page(record: Mapping[str, Any]) -> str:
    """The page; the same bytes for the same report (`report/transfer_record.py`)."""
    title = f"Transfers of {record['model']} on {record['board']}"
    head = element(
        "head",
        element("meta", charset="utf-8"),
        element("meta", http_equiv="Content-Security-Policy", content=_POLICY),
        element("meta", name="viewport", content="width=device-width, initial-scale=1"),
        element("meta", name="color-scheme", content="light dark"),
        element("title", title),
        Markup(f"<style>{(_ROOM / 'style.css').read_text(encoding='utf-8')}</style>"),
    )
    main = element("main", element("h1", title), _tiles(record), _timeline(record), _tables(record))
    return f"<!DOCTYPE html>\n{element('html', head, element('body', main), lang='en')}\n"


def _tiles(record: Mapping[str, Any]) -> Markup:
    share = record["hidden_share"]
    figures = (
        ("Hidden", "none" if share is None else f"{100 * share:.1f} %", "of the time in which copies move"),
        ("Run", f"{record['run_cost']:,}", f"{record['run_cost_without']:,} without copies"),
        ("Copied", of_bytes(record["transferred_bytes"]), f"from {record['source']} to {record['destination']}"),
        ("Arena", of_bytes(record["arena_bytes"]), "with all that is brought"),
    )
    tiles = (
        element("div", element("dt", name), element("dd", figure, element("small", note)))
        for name, figure, note in figures
    )
    return element("dl", *tiles, class_="tiles")


def _timeline(record: Mapping[str, Any]) -> Markup:
    """Two rows: steps above, copies below; what a span is, is told where the pointer rests on it."""
    spans = [_span(0, each["step"], each["from"], each["to"], "tensor", record) for each in record["steps"]]
    spans += [
        _span(1, _told(each), each["moved_from"], each["moved_to"], "staged", record) for each in record["transfers"]
    ]
    labels = [
        element("text", label, x=0, y=row * (_ROW_HEIGHT + _GAP) + 16) for row, label in enumerate(("core", "DMA"))
    ]
    height = 2 * (_ROW_HEIGHT + _GAP)
    drawing = element("svg", *labels, *spans, width="100%", height=height, role="img", aria_label="Timeline")
    return element("section", element("h2", "The run in time"), element("p", _UNIT), drawing)


def _told(transfer: Mapping[str, Any]) -> str:
    stall = f", {transfer['stall_cost']:,} waited for" if transfer["stall_cost"] else ""
    return f"{transfer['buffer']}: {transfer['size_bytes']:,} B{stall}"


def _span(row: int, name: str, begin: int, end: int, kind: str, record: Mapping[str, Any]) -> Markup:
    whole = max(1, record["run_cost"])
    place = {"x": f"{100 * begin / whole:.3f}%", "width": f"{100 * (end - begin) / whole:.3f}%"}
    shape = element("rect", y=row * (_ROW_HEIGHT + _GAP) + _GAP - 4, height=_ROW_HEIGHT, **place)
    return element("g", element("title", f"{name}, {begin:,} to {end:,}"), shape, class_=f"buffer {kind}")


def _tables(record: Mapping[str, Any]) -> Markup:
    copies = table("Copies", _COPIES, list(_copies(record)), figures=(1, 2, 3, 4))
    steps = table(
        "Steps",
        ("Step", "From", "To"),
        [(each["step"], f"{each['from']:,}", f"{each['to']:,}") for each in record["steps"]],
        figures=(1, 2),
    )
    return joined(
        element("section", element("h2", "Copies"), copies), element("section", element("h2", "Steps"), steps)
    )


_COPIES = ("What is brought", "Size", "From", "To", "Waited for", "Starts before", "Done before")


def _copies(record: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for each in record["transfers"]:
        figures = (f"{each[key]:,}" for key in ("moved_from", "moved_to", "stall_cost"))
        yield each["buffer"], of_bytes(each["size_bytes"]), *figures, each["starts_before"], each["done_before"]
