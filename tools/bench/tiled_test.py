# SPDX-License-Identifier: Apache-2.0
"""The table of models in stripes: what a row says, and who is above its bar."""

from __future__ import annotations

from pathlib import Path

from stowage.target.find_board import find_board
from stowage.tiles.front import Point
from stowage.tiles.tiling import Segment
from tools.bench.tiled import TiledModel, bar_of, tiled_complaints, tiled_models, tiled_table

POINTS = (
    Point(4000, 10_000, 9, ()),
    Point(3000, 10_100, 30, (Segment(0, 4, 2, 1),)),
    Point(2500, 10_500, 60, (Segment(0, 5, 1, 1),)),
)


def test_a_row_has_the_plan_with_the_least_work_within_the_bar() -> None:
    *_, row = tiled_table([TiledModel("kws/model.onnx", 3500, POINTS)])
    assert row == "| kws/model.onnx | 4,000 | 3,500 | 3,000 | 30 | +1.00% | 2,500 |"


def test_a_model_without_a_bar_has_none_to_meet() -> None:
    *_, row = tiled_table([TiledModel("other/model.onnx", None, POINTS)])
    assert row == "| other/model.onnx | 4,000 | - | - | - | - | 2,500 |"
    assert list(tiled_complaints([TiledModel("other/model.onnx", None, POINTS)])) == []


def test_a_model_above_its_bar_is_told() -> None:
    low, met = (TiledModel("kws/model.onnx", bar, POINTS) for bar in (2499, 2500))
    assert list(tiled_complaints([low, met])) == ["kws/model.onnx takes 2,500 B at least, its bar is 2,499 B"]


def test_some_models_may_take_half_of_what_they_take_as_they_are() -> None:
    assert bar_of("mcunet_any", 4000) == 2000
    assert bar_of("mlperf_vww_int8", 36_880) == 31_744
    assert bar_of("tflm_hello_world_int8", 80) is None


def test_an_example_takes_less_in_stripes() -> None:
    (model,) = tiled_models([Path("examples/digits/digits_int8.onnx")], find_board("host"))
    arenas = [point.arena_bytes for point in model.front]
    assert arenas == sorted(arenas, reverse=True) and arenas[-1] < arenas[0]
