# SPDX-License-Identifier: Apache-2.0
"""The timeline of a model's transfers as a browser shows it: every step and every copy where it belongs in time."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stowage.model_request import ModelRequest
from stowage.pipeline import compile_model
from stowage.report.page.transfer_page import transfer_page
from stowage.report.transfer_report import transfer_files
from stowage.target.find_board import find_board
from tests.browser.browser import Browser, browser

ROOT = Path(__file__).parents[2]
CHROMIUM = Path(os.environ["CHROMIUM"]).absolute()
HOSTILE = "</script></title></style><img src=x onerror=\"document.title='stolen'\">'\"&"
LIMITS = {"plain": None, "striped": 700}
SPANS = """[...document.querySelectorAll('svg .%s')].map(each => {
    const box = each.querySelector('rect').getBoundingClientRect();
    return {told: each.querySelector('title').textContent, x: box.x, y: box.y, width: box.width, height: box.height};
})"""


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(CHROMIUM, tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture(scope="module")
def records() -> dict[str, dict[str, Any]]:
    board = find_board(str(ROOT / "tests/transfers/slow_weights.textproto"))
    model = ROOT / "examples/digits/digits_int8.onnx"
    requests = {name: ModelRequest(model, name, prefetch=True, ram_bytes=limit) for name, limit in LIMITS.items()}
    made = {name: transfer_files(compile_model(request, board)) for name, request in requests.items()}
    return {name: json.loads(files[f"{name}_transfers.json"]) for name, files in made.items()}


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, records: dict[str, dict[str, Any]]) -> dict[str, Path]:
    """The page of the model as it is, in stripes, and with names that would like to be markup."""
    folder = tmp_path_factory.mktemp("pages")
    (copy,) = records["striped"]["transfers"]
    steps = [{**step, "step": HOSTILE} for step in records["striped"]["steps"]]
    hostile = {**records["striped"], "steps": steps, "transfers": [{**copy, "buffer": HOSTILE}]}
    for name, record in {**records, "hostile": hostile}.items():
        (folder / f"{name}.html").write_text(transfer_page(record), encoding="utf-8")
    return {path.stem: path for path in folder.iterdir()}


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1280, 400])
@pytest.mark.parametrize("name", [*LIMITS, "hostile"])
def test_nothing_is_wider_than_the_window(
    shown: Browser, pages: dict[str, Path], name: str, width: int, scheme: str
) -> None:
    shown.open(pages[name], width, 900, scheme)
    shown.keep_picture(f"transfers_{name}_{width}_{scheme}")
    assert shown.value("document.documentElement.scrollWidth") == width
    assert shown.requested() == [pages[name].as_uri()]
    assert shown.complaints() == []


@pytest.mark.parametrize("name", LIMITS)
def test_steps_and_copies_stand_where_they_are_in_time(
    shown: Browser, pages: dict[str, Path], records: dict[str, dict[str, Any]], name: str
) -> None:
    """Steps in one row, copies in one below it; a span begins and ends at its share of the run."""
    shown.open(pages[name], 1280, 900)
    record = records[name]
    drawing = shown.value("document.querySelector('svg').getBoundingClientRect().toJSON()")
    scale = drawing["width"] / record["run_cost"]
    steps, copies = shown.value(SPANS % "tensor"), shown.value(SPANS % "staged")
    times = [(each["from"], each["to"]) for each in record["steps"]]
    moves = [(each["moved_from"], each["moved_to"]) for each in record["transfers"]]
    assert len(times) == len(steps) and len(moves) == len(copies) > 0
    for box, (begin, end) in zip([*steps, *copies], [*times, *moves], strict=True):
        assert box["x"] - drawing["x"] == pytest.approx(begin * scale, abs=1)
        assert box["width"] == pytest.approx((end - begin) * scale, abs=1)
    (row,), (below,) = ({box["y"] for box in boxes} for boxes in (steps, copies))
    assert row + steps[0]["height"] <= below < drawing["y"] + drawing["height"]


def test_what_a_span_is_is_told(shown: Browser, pages: dict[str, Path], records: dict[str, dict[str, Any]]) -> None:
    shown.open(pages["plain"], 1280, 900)
    copies = shown.value(SPANS % "staged")
    for box, each in zip(copies, records["plain"]["transfers"], strict=True):
        assert box["told"].startswith(f"{each['buffer']}: {each['size_bytes']:,} B")
    share = f"{100 * records['plain']['hidden_share']:.1f} %"
    assert share in shown.value("document.querySelector('.tiles').textContent").replace("\N{NO-BREAK SPACE}", " ")


def test_names_are_text_whatever_they_hold(shown: Browser, pages: dict[str, Path]) -> None:
    shown.open(pages["hostile"], 1280, 900)
    assert shown.value("document.title") == "Transfers of striped on slow_weights"
    assert shown.value("document.images.length + document.scripts.length") == 0
    assert shown.value(SPANS % "staged")[0]["told"].startswith(HOSTILE)
