# SPDX-License-Identifier: Apache-2.0
"""What the memory report tells, of models whose figures can be counted by hand."""

from __future__ import annotations

import json
from typing import Any

from stowage.codegen.golden_model import delay_graph, golden_graph
from stowage.ir.dtype import DType
from stowage.ir.graph import Graph, Node, Value
from stowage.ir.ops.elementwise import Add, Relu
from stowage.ir.tensor_type import TensorType
from stowage.report.memory_record import memory_record
from stowage.report.memory_report import memory_files, memory_text
from stowage.report.page.page import memory_page
from stowage.report.short_name import short_name
from stowage.report.trial_models import compiled_of

DELAY = compiled_of(delay_graph(), {"before:0": "now:0"})
GOLDEN = compiled_of(golden_graph())


def told(name: str) -> dict[str, Any]:
    record: dict[str, Any] = memory_record({"delay": DELAY, "tiny": GOLDEN}[name])
    return record


def test_states_are_told_with_their_places() -> None:
    record = told("delay")
    (state,) = record["states"]
    assert (state["name"], state["output"], state["size_bytes"]) == ("before_0", "now:0", 8)
    (buffer,) = [each for each in record["buffers"] if each["name"] == "before:0"]
    assert (buffer["kind"], buffer["offset_bytes"], buffer["first_step"], buffer["last_step"]) == (
        "state",
        state["offset_bytes"],
        "inputs",
        "outputs",
    )
    assert [port["name"] for port in (*record["inputs"], *record["outputs"])] == ["x", "difference"]


def test_people_are_told_of_states_where_there_are_some() -> None:
    line = "  states                8 B   of the arena, kept between runs: before_0"
    assert line in memory_text(told("delay")).splitlines()
    assert "states  " not in memory_text(told("tiny"))


def test_the_json_is_the_record() -> None:
    files = memory_files(GOLDEN)
    assert json.loads(files["tiny_memory.json"]) == told("tiny")
    assert files["tiny_memory.txt"] == memory_text(told("tiny"))


def test_steps_have_their_bytes_and_multiplications() -> None:
    """32 outputs of 3x3x2 products each; the sum is made over its operand, so that the two count once."""
    timeline = {entry["step"]: entry for entry in told("tiny")["timeline"]}
    assert list(timeline) == ["inputs", "conv", "sum", "classify", "outputs"]
    assert told("tiny")["macs"] == timeline["conv"]["macs"] == 32 * 18
    assert (timeline["inputs"]["used_bytes"], timeline["outputs"]["used_bytes"]) == (32, 32)
    assert (timeline["sum"]["live_bytes"], timeline["sum"]["used_bytes"]) == (96, 64)


def test_buffers_say_what_they_are_and_what_they_lie_over() -> None:
    buffers = {each["name"]: each for each in told("tiny")["buffers"]}
    assert {name: each["kind"] for name, each in buffers.items() if each["kind"] != "scratch"} == {
        "serving/image:0": "input",
        "conv/out:0": "tensor",
        "sum:0": "tensor",
        "probabilities": "output",
    }
    assert buffers["conv/out:0"]["type"] == "i8 1x4x4x2"
    assert len(buffers["sum:0"]["over"]) == 1
    assert set(buffers["sum:0"]["over"]) < {"serving/image:0", "conv/out:0"}


def test_constants_are_counted_by_what_they_are_for() -> None:
    kinds = told("tiny")["constant_kinds"]
    assert kinds["weights"] == 36 and kinds["biases"] == 8
    assert sum(kinds.values()) == told("tiny")["weights_bytes"]


def test_regions_have_what_the_model_takes_of_them() -> None:
    arena, weights = told("tiny")["regions"]
    assert (arena["region"], arena["role"], arena["capacity_bytes"]) == ("sram", "arena", 4096)
    assert arena["used_bytes"] == told("tiny")["arena_bytes"]
    assert (weights["region"], weights["used_bytes"]) == ("flash", told("tiny")["weights_bytes"])


def _branches() -> Graph:
    """A sum of a tensor and its own positive part, in floats."""
    wide = TensorType((64,), DType.F32)
    x, tall, y = Value("x", wide), Value("tall", wide), Value("y", wide)
    return Graph("m", (x,), (y,), (Node("up", Relu(), (x,), (tall,)), Node("join", Add(), (x, tall), (y,))))


def test_the_waterfall_goes_from_no_technique_to_the_plan() -> None:
    """x, tall and y of 256 B each: y may lie over one of the other two, which both live until then."""
    stages = memory_record(compiled_of(_branches()))["saved"]
    assert [(each["technique"], each["arena_bytes"], each["saved_bytes"]) for each in stages] == [
        ("every tensor for itself", 768, 0),
        ("fused and dead left out", 768, 0),
        ("bytes used again", 768, 0),
        ("order of steps", 768, 0),
        ("outputs over inputs", 512, 256),
        ("made in place", 512, 0),
        ("search for offsets", 512, 0),
    ]


def test_advice_is_in_bytes_and_names_the_next_peak() -> None:
    record = memory_record(compiled_of(_branches()))
    assert {"change": 'quantize = "int8"', "arena_bytes": 128, "peak_step": "up"} in record["advice"]["changes"]
    assert 'quantize = "int8": about 128 B (25 %), with the peak in "up"' in memory_text(record)


def test_stripes_are_advice_where_layers_can_run_in_them() -> None:
    images, vectors = told("tiny"), told("delay")
    assert "stripes of rows (ram = …): `stowage pareto` tells" in memory_text(images)
    assert "<code>stowage pareto</code>" in memory_page(images)
    assert "pareto" not in memory_text(vectors) + memory_page(vectors)


def test_long_names_are_short_in_sentences_and_whole_at_the_pointer() -> None:
    record = told("tiny")
    record["peak"]["step"] = name = "layer/" * 40
    page = memory_page(record)
    assert f'title="{name}"' in page and f">{name}<" not in page and f">{short_name(name)}</span>" in page


def test_stripes_are_told_in_the_place_of_the_order() -> None:
    record = told("tiny") | {"stripes": [{"first": 0, "end": 2, "stripe_rows": 4, "piece_rows": 1}]}
    assert "  order        that of 2 layers by 4 rows, in stripes\n" in memory_text(record)
