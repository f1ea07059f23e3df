# SPDX-License-Identifier: Apache-2.0
"""The page of the memory report as text; //tests/browser sees it in a browser."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest

from stowage.codegen.golden_model import delay_graph, golden_graph
from stowage.report.memory_record import memory_record
from stowage.report.page.markup import Markup, element
from stowage.report.page.page import memory_page
from stowage.report.page.plan_drawing import Scale
from stowage.report.trial_models import compiled_of

RECORD = memory_record(compiled_of(golden_graph()))
PAGE = memory_page(RECORD)


class Opened(HTMLParser):
    """Counts elements, and checks that each is closed in its turn."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def opened(page: str) -> list[tuple[str, dict[str, str | None]]]:
    parser = Opened()
    parser.feed(page)
    assert not parser.open
    return parser.seen


def test_elements_are_closed_in_their_turn_and_every_buffer_is_one() -> None:
    drawn = [attributes["data-name"] for tag, attributes in opened(PAGE) if tag == "g"]
    assert drawn == [buffer["name"] for buffer in RECORD["buffers"]]


def test_there_is_nothing_to_fetch_and_nothing_that_changes_from_run_to_run() -> None:
    assert not [attributes for _, attributes in opened(PAGE) if {"src", "href"} & attributes.keys()]
    assert not re.search(r"https?:|url\((?!#)|@import", PAGE)
    assert "/tmp/" not in PAGE and "/work" not in PAGE
    assert memory_page(memory_record(compiled_of(golden_graph()))) == PAGE


def test_figures_have_units_and_separators() -> None:
    wide = {**RECORD, "arena_bytes": 1234567, "lower_bound_bytes": 1234567}
    assert "1,234,567\N{NO-BREAK SPACE}B" in memory_page(wide)


def test_a_region_s_end_is_drawn_where_it_is_near() -> None:
    (arena, weights) = RECORD["regions"]
    near = {**RECORD, "regions": [{**arena, "capacity_bytes": RECORD["arena_bytes"] + 16}, weights]}
    assert "end of sram" in memory_page(near)
    assert "end of sram" not in PAGE


def test_a_state_lives_all_the_time() -> None:
    page = memory_page(memory_record(compiled_of(delay_graph(), {"before:0": "now:0"})))
    (state,) = [attributes for _, attributes in opened(page) if attributes.get("class") == "buffer state"]
    assert state["data-life"] == "inputs to outputs"


@pytest.mark.parametrize("text", ["<b>", "&amp;", '"', "'", "</script>"])
def test_text_is_escaped_in_elements_and_attributes(text: str) -> None:
    made = element("p", text, Markup("<br>"), title=text)
    escaped = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    escaped = escaped.replace('"', "&quot;").replace("'", "&#x27;")
    assert made == f'<p title="{escaped}">{escaped}<br></p>'


def test_what_is_not_seen_is_replaced() -> None:
    assert element("p", "a\x00b\u202ec") == "<p>a\N{REPLACEMENT CHARACTER}b\N{REPLACEMENT CHARACTER}c</p>"


def test_places_on_the_drawing() -> None:
    """Of four columns the third; of 1,000 B the middle tenth, 400 pixels high and 26 from the top."""
    assert Scale(4, 1000).box(2, 2, 500, 600) == {
        "x": "50.0000%",
        "y": "186.00",
        "width": "25.0000%",
        "height": "40.00",
    }
