# SPDX-License-Identifier: Apache-2.0
"""The page of the memory report as a browser shows it: the drawing is there, tells of what is pointed at, and fits.

Screenshots go where Bazel keeps what tests leave behind.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from stowage.cli import main
from stowage.ir.dtype import DType
from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.elementwise import Relu
from stowage.ir.tensor_type import TensorType
from stowage.report.memory_record import memory_record
from stowage.report.page.page import memory_page
from stowage.report.trial_models import compiled_of
from tests.browser.browser import Browser, browser

ROOT = Path(__file__).parents[2]
CHROMIUM = Path(os.environ["CHROMIUM"]).absolute()
MODELS = {"branches_int8": "branches", "digits_int8": "digits", "stream": "stream"}
STATES = {"stream": ["--state", "frames=frames_next", "--state", "hidden=hidden_next"]}
WIDTHS = {1280: 900, 400: 800}
HOSTILE = "</script></title></style><img src=x onerror=\"document.title='stolen'\">'\"&\u202e\x07"


@pytest.fixture(scope="module")
def shown(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with browser(CHROMIUM, tmp_path_factory.mktemp("browser")) as running:
        yield running


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The page of each model, that of a pool, and one whose names would like to be markup."""
    folder = tmp_path_factory.mktemp("pages")
    for name, room in MODELS.items():
        model = str(ROOT / "examples" / room / f"{name}.onnx")
        command = ["report", model, "--board", "nrf52", "--quiet", "--out", str(folder / f"{name}.html")]
        assert main([*command, *STATES.get(name, [])]) == 0
    (folder / "speech.html").write_text(pool_page(tmp_path_factory.mktemp("pool")), encoding="utf-8")
    (folder / "hostile.html").write_text(memory_page(memory_record(compiled_of(hostile()))), encoding="utf-8")
    return {path.stem: path for path in folder.iterdir()}


def pool_page(folder: Path) -> str:
    """Two streams and a classifier, with a buffer of their caller's."""
    stream, digits = (str(ROOT / "examples" / MODELS[name] / f"{name}.onnx") for name in ("stream", "digits_int8"))
    command = ["pool", "speech", "--board", "nrf52", "--quiet", "--out", str(folder), "--buffer=audio=int16_t[99]"]
    models = [word for name in ("one", "two") for word in ("--model", stream, "--name", name, *STATES["stream"])]
    assert main([*command, *models, "--model", digits, "--name", "digits"]) == 0
    return (folder / "speech_memory.html").read_text(encoding="utf-8")


def hostile() -> Graph:
    type_ = TensorType((64,), DType.F32)
    x, y = Value(f"x{HOSTILE}", type_), Value(f"y{HOSTILE}", type_)
    return Graph("hostile", (x,), (y,), (Node(f"step{HOSTILE}", Relu(), (x,), (y,)),))


def buffers(pages: dict[str, Path], name: str) -> list[dict[str, Any]]:
    out = pages[name].with_suffix(".json")
    model = str(ROOT / "examples" / MODELS[name] / f"{name}.onnx")
    assert main(["report", model, "--board", "nrf52", "--quiet", "--out", str(out)]) == 0
    record: dict[str, Any] = json.loads(out.read_text())
    return list(record["buffers"])


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("name", [*MODELS, "speech", "hostile"])
def test_nothing_is_wider_than_the_window(
    shown: Browser, pages: dict[str, Path], name: str, width: int, scheme: str
) -> None:
    shown.open(pages[name], width, WIDTHS[width], scheme)
    shown.value("document.querySelectorAll('details').forEach(each => each.open = true)")
    shown.keep_picture(f"{name}_{width}_{scheme}")
    assert shown.value("document.documentElement.scrollWidth") == width
    too_wide = """[...document.querySelectorAll('main, main *:not(.table *):not(#plan *)')]
        .filter(each => each.getBoundingClientRect().right > innerWidth).map(each => each.outerHTML.slice(0, 200))"""
    assert shown.value(too_wide) == []


def test_text_is_seen(shown: Browser, pages: dict[str, Path]) -> None:
    """Without a font every word would have no width, and anything would fit."""
    shown.open(pages["digits_int8"], 1280, 900)
    assert shown.value("document.querySelector('.board').getBoundingClientRect().width") > 100
    assert shown.value("document.querySelector('#plan .peak-label').getBBox().width") > 50


@pytest.mark.parametrize("name", [*MODELS, "speech", "hostile"])
def test_the_page_asks_for_nothing_and_complains_of_nothing(shown: Browser, pages: dict[str, Path], name: str) -> None:
    shown.open(pages[name], 1280, 900)
    assert shown.requested() == [pages[name].as_uri()]
    assert shown.complaints() == []


@pytest.mark.parametrize("name", ["branches_int8", "digits_int8"])
def test_every_buffer_is_a_rectangle_in_its_place(shown: Browser, pages: dict[str, Path], name: str) -> None:
    """Widths are shares of the time, heights shares of the arena."""
    shown.open(pages[name], 1280, 900)
    drawn = shown.value("""[...document.querySelectorAll('#plan .buffer')].map(each => {
        const box = each.querySelector('rect').getBoundingClientRect();
        return [each.dataset.name, box.width, box.height];
    })""")
    planned = buffers(pages, name)
    assert [each[0] for each in drawn] == [each["name"] for each in planned]
    columns = shown.value("document.querySelectorAll('svg rect.used').length")
    plan_width = shown.value("document.getElementById('plan').getBoundingClientRect().width")
    arena = max(each["offset_bytes"] + each["size_bytes"] for each in planned)
    for (_, width, height), buffer in zip(drawn, planned, strict=True):
        assert width == pytest.approx(plan_width * (buffer["last"] + 1 - buffer["first"]) / columns, abs=2)
        assert height == pytest.approx(400 * buffer["size_bytes"] / arena, abs=2)
    overlaps = sum(len(each["over"]) for each in planned)
    assert overlaps and shown.value("document.querySelectorAll('#plan .shared').length") == overlaps
    assert shown.value("document.querySelectorAll('#plan rect.peak').length") == 1


def test_what_is_pointed_at_is_told(shown: Browser, pages: dict[str, Path]) -> None:
    shown.open(pages["branches_int8"], 1280, 900)
    largest = max(buffers(pages, "branches_int8"), key=lambda each: each["size_bytes"])
    selector = f"[...document.querySelectorAll('.buffer')].find(e => e.dataset.name === {largest['name']!r})"
    box = shown.value(
        f"(({selector}).scrollIntoView({{block: 'center'}}), ({selector}).getBoundingClientRect().toJSON())"
    )
    assert largest["name"] not in shown.value("document.getElementById('readout').textContent")
    shown.point_at(box["x"] + box["width"] * 0.1, box["y"] + box["height"] * 0.5)
    told = shown.value("document.getElementById('readout').textContent")
    for part in (largest["name"], largest["type"], f"{largest['size_bytes']:,}", f"{largest['offset_bytes']:,}"):
        assert part in told
    assert shown.value("document.querySelector('#plan .told').dataset.name") == largest["name"]


def test_keys_go_from_buffer_to_buffer(shown: Browser, pages: dict[str, Path]) -> None:
    shown.open(pages["branches_int8"], 1280, 900)
    names = [each["name"] for each in buffers(pages, "branches_int8")]
    told = "document.querySelector('#readout .name').textContent"
    shown.press("Tab")
    assert shown.value(told) == names[0]
    shown.press("ArrowRight")
    shown.press("ArrowRight")
    assert shown.value(told) == names[2]
    label = shown.value("document.activeElement.getAttribute('aria-label')")
    assert label.startswith(f"{names[2]}: ")


def test_names_are_text_whatever_they_hold(shown: Browser, pages: dict[str, Path]) -> None:
    """A name that ends the element which it is in, and brings a picture that runs a script."""
    shown.open(pages["hostile"], 1280, 900)
    assert shown.value("document.title") == "Memory of hostile on any"
    assert shown.value("document.images.length") == 0
    assert shown.value("document.scripts.length") == 1
    name = shown.value("document.querySelector('#plan .buffer').dataset.name")
    assert name == "x" + HOSTILE.replace("\u202e", "\ufffd").replace("\x07", "\ufffd")
    shown.press("Tab")
    assert shown.value("document.querySelector('#readout .name').textContent") == name
    assert shown.value("document.images.length") == 0


def test_a_state_has_its_colour_and_its_entry(shown: Browser, pages: dict[str, Path]) -> None:
    shown.open(pages["stream"], 1280, 900)
    assert shown.value("document.querySelectorAll('#plan .buffer.state').length") >= 1
    assert "state" in shown.value("document.querySelector('.legend').textContent")
