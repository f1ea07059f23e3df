# SPDX-License-Identifier: Apache-2.0
"""What less memory costs as text, as JSON and as a page; //tests/browser sees that in a browser."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest

from stowage.report.page.pareto_drawing import Axes, axes_of, shows_capacity
from stowage.report.page.pareto_page import pareto_page
from stowage.report.page_test import opened
from stowage.report.pareto_record import ParetoRecord, pareto_record
from stowage.report.pareto_report import pareto_json, pareto_text
from stowage.target.board import Role
from stowage.target.find_board import find_board
from stowage.tiles.front import Point
from stowage.tiles.tiling import Segment

POINTS = (
    Point(4000, 10_000, 9, ()),
    Point(3000, 10_100, 30, (Segment(0, 4, 2, 1),)),
    Point(2500, 10_500, 60, (Segment(0, 5, 1, 1),)),
)


def record(capacity_bytes: int) -> ParetoRecord:
    """The plans on a board whose region for arenas is so large."""
    board = find_board("host")
    region = replace(board.preferred(Role.ARENA), name="sram", capacity_bytes=capacity_bytes)
    return pareto_record("trial", POINTS, replace(board, roles={**board.roles, Role.ARENA: (region,)}))


def marks(capacity_bytes: int) -> list[dict[str, str | None]]:
    seen = opened(pareto_page(record(capacity_bytes)))
    return [attributes for tag, attributes in seen if tag == "g" and "data-name" in attributes]


def test_text_has_a_line_a_plan_and_says_what_is_estimated_and_what_fits() -> None:
    head, board, _, *lines = pareto_text(record(3500)).splitlines()
    assert "instructions estimated" in head and "sram" in board and "3,500 B" in board
    assert [line.split()[0] for line in lines] == ["4,000", "3,000", "2,500"]
    assert lines[0].endswith("nothing; does not fit the board") and "+0.00%" in lines[0]
    assert lines[1].endswith("4 layers by 2 rows") and "+1.00%" in lines[1]


def test_json_has_all_that_is_known() -> None:
    known = json.loads(pareto_json(record(3500)))
    assert (known["board"], known["region"], known["capacity_bytes"]) == ("host", "sram", 3500)
    assert [point["arena_bytes"] for point in known["points"]] == [4000, 3000, 2500]
    assert [point["fits"] for point in known["points"]] == [False, True, True]
    assert [point["stripes"] for point in known["points"]][:2] == [
        [],
        [{"first": 0, "end": 4, "stripe_rows": 2, "piece_rows": 1}],
    ]


def test_the_page_has_a_mark_a_plan_and_tells_which_is_which() -> None:
    plain, striped, lowest = marks(3500)
    assert (plain["class"], striped["class"]) == ("mark plain unfit", "mark striped")
    assert (plain["data-name"], lowest["data-name"]) == ("layer by layer", "5 layers by 1 row")
    assert lowest["data-arena"] == "2,500\N{NO-BREAK SPACE}B"
    assert lowest["data-instructions"] == "10,500 (+5.00%), estimated"


def test_the_page_fetches_nothing() -> None:
    page = pareto_page(record(3500))
    assert not re.search(r"https?:|url\((?!#)|@import|src=|href=", page)


@pytest.mark.parametrize(
    ("capacity_bytes", "drawn", "said"), [(4001, True, ""), (9000, False, "far to the right: every plan fits")]
)
def test_the_end_of_ram_is_drawn_where_it_is_near(capacity_bytes: int, drawn: bool, said: str) -> None:
    page = pareto_page(record(capacity_bytes))
    assert ("end of sram: " in page) == drawn == shows_capacity(record(capacity_bytes))
    assert said in page


def test_places_on_the_drawing() -> None:
    """A quarter of the width; the middle of 320 pixels, 30 from the top."""
    axes = Axes(4000, 10_000, 11_000)
    assert (axes.across(1000), axes.up(10_500)) == ("25.000%", "190.00")


def test_everything_is_in_the_drawing_with_a_margin() -> None:
    axes = axes_of(record(5000))
    assert axes.most_bytes > 5000
    assert axes.least < 10_000 and axes.most > 10_500


def test_a_single_plan_is_drawn() -> None:
    alone = {**record(4000), "points": record(4000)["points"][:1]}
    assert pareto_page(alone).count("<circle") == 1
