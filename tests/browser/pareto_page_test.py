# SPDX-License-Identifier: Apache-2.0
"""The page of what less memory costs as a browser shows it: each plan in its place, told of when it is pointed at."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stowage.cli import main
from stowage.report.page.pareto_page import pareto_page
from tests.browser.browser import Browser, browser

MODEL = str(Path(__file__).parents[2] / "examples/digits/digits_int8.onnx")
CHROMIUM = Path(os.environ["CHROMIUM"]).absolute()
TIGHT_BYTES = 700
"""Less than the model takes as it is, and more than it takes in stripes."""
DOTS = """[...document.querySelectorAll('#plans .mark')].map(each => {
    const box = each.querySelector('circle').getBoundingClientRect();
    return {name: each.dataset.name, x: box.x + box.width / 2, y: box.y + box.height / 2, kind: each.className.baseVal};
})"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(CHROMIUM, tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture(scope="module")
def record(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Any]:
    out = tmp_path_factory.mktemp("json") / "digits.json"
    assert main(["pareto", MODEL, "--board", "nrf52", "--quiet", "--format", "json", "--out", str(out)]) == 0
    told: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return told


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, record: dict[str, Any]) -> dict[str, Path]:
    """As the command writes it, and for a board on which not all plans fit."""
    folder = tmp_path_factory.mktemp("pages")
    roomy = folder / "roomy.html"
    assert main(["pareto", MODEL, "--board", "nrf52", "--quiet", "--format", "html", "--out", str(roomy)]) == 0
    points = [{**point, "fits": point["arena_bytes"] <= TIGHT_BYTES} for point in record["points"]]
    tight = pareto_page({**record, "capacity_bytes": TIGHT_BYTES, "points": points})
    (folder / "tight.html").write_text(tight, encoding="utf-8")
    return {path.stem: path for path in folder.iterdir()}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("name", ["roomy", "tight"])
def test_nothing_is_wider_than_the_window(
    shown: Browser, pages: dict[str, Path], name: str, width: int, scheme: str
) -> None:
    shown.open(pages[name], width, 900, scheme)
    shown.keep_picture(f"pareto_{name}_{width}_{scheme}")
    assert shown.value("document.documentElement.scrollWidth") == width
    assert shown.requested() == [pages[name].as_uri()]
    assert shown.complaints() == []


def test_every_plan_is_a_dot_in_its_place(shown: Browser, pages: dict[str, Path], record: dict[str, Any]) -> None:
    shown.open(pages["roomy"], 1280, 900)
    dots = shown.value(DOTS)
    assert len(dots) == len(record["points"]) > 1
    left = shown.value("document.getElementById('plans').getBoundingClientRect().x")
    first, last = record["points"][0], record["points"][-1]
    assert (dots[-1]["x"] - left) / (dots[0]["x"] - left) == pytest.approx(
        last["arena_bytes"] / first["arena_bytes"], rel=0.01
    )
    heights = [dot["y"] for dot in dots]
    assert heights == sorted(heights, reverse=True), "less memory is more instructions, and higher up"


def test_axes_have_units(shown: Browser, pages: dict[str, Path]) -> None:
    shown.open(pages["roomy"], 1280, 900)
    words = shown.value("[...document.querySelectorAll('.plan text')].map(each => each.textContent)")
    assert {"arena in bytes", "instructions", "0\N{NO-BREAK SPACE}B"} <= set(words)


def test_what_is_pointed_at_is_told(shown: Browser, pages: dict[str, Path], record: dict[str, Any]) -> None:
    shown.open(pages["roomy"], 1280, 900)
    last, dot = record["points"][-1], shown.value(DOTS)[-1]
    readout = "document.getElementById('readout').textContent"
    assert last["in_stripes"] not in shown.value(readout)
    shown.point_at(dot["x"], dot["y"])
    told = shown.value(readout)
    for part in (last["in_stripes"], f"{last['arena_bytes']:,}", f"{last['estimated_instructions']:,}"):
        assert part in told


def test_keys_go_from_plan_to_plan(shown: Browser, pages: dict[str, Path], record: dict[str, Any]) -> None:
    shown.open(pages["roomy"], 1280, 900)
    shown.press("Tab")
    assert shown.value("document.querySelector('#readout .name').textContent") == "layer by layer"
    shown.press("ArrowRight")
    assert shown.value("document.querySelector('#readout .name').textContent") == record["points"][1]["in_stripes"]


def test_the_plan_without_stripes_and_the_end_of_ram_are_marked(shown: Browser, pages: dict[str, Path]) -> None:
    shown.open(pages["tight"], 1280, 900)
    plain, *_, last = shown.value(DOTS)
    assert (plain["name"], plain["kind"], last["kind"]) == ("layer by layer", "mark plain unfit", "mark striped")
    end = shown.value("document.querySelector('#plans .capacity').getBoundingClientRect().x")
    assert last["x"] < end < plain["x"]
    assert f"{TIGHT_BYTES}\N{NO-BREAK SPACE}B" in shown.value("document.querySelector('.peak-label').textContent")
