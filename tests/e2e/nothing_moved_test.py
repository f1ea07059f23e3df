# SPDX-License-Identifier: Apache-2.0
"""What moves no byte has no step and no bytes of its own: other shapes, parts, pads, seen by who has a small model."""

from __future__ import annotations

from pathlib import Path

import onnx
import pytest
from onnx import parser

from stowage.model_request import ModelRequest
from stowage.pipeline import Compiled, compile_model
from stowage.target.find_board import find_board

RESHAPES = """
    a = Relu(x)
    b = Reshape(a, shape)
    c = Flatten(b)
    d = Unsqueeze(c, axes)
    e = Squeeze(d, axes)
    f = Identity(e)
    y = Sigmoid(f)
"""
SPLIT = """
    a, b = Split <axis = 1, num_outputs = 2> (x)
    c = Relu(a)
    d = Sigmoid(b)
    y = Concat <axis = 1> (c, d)
"""
SLICE = """
    a = Slice(x, begin, end, one)
    y = Relu(a)
"""
CASES = [
    # The sigmoid is made over the result of the first step, and that over the input.
    (RESHAPES, "float[1, 64] x", "float[2, 32] y", ["relu", "sigmoid"], 4 * 64),
    # All of the input lives while the first half of the output is made.
    (SPLIT, "float[1, 64] x", "float[1, 64] y", ["relu", "sigmoid"], 4 * (64 + 32)),
    # A slice of consecutive elements, and what is made of it lies within the input.
    (SLICE, "float[1, 64] x", "float[1, 16] y", ["relu"], 4 * 64),
]
CONSTANTS = """<
    int64[3] shape = {2, 8, 4}, int64[1] axes = {2}, int64[1] begin = {32}, int64[1] end = {48}, int64[1] one = {1},
    int64[8] pads = {0, 0, 1, 2, 0, 0, 1, 2}, float[2, 2, 3, 5] weights = {PLACE}
>"""


def compiled(folder: Path, source: str, result: str, nodes: str) -> Compiled:
    weights = ", ".join("0.5" for _ in range(60))
    constants = CONSTANTS.replace("PLACE", weights)
    named = ("shape", "axes", "begin", "end", "one", "pads", "weights")
    model = parser.parse_model(
        f'<ir_version: 8, opset_import: ["": 18]> net ({source}) => ({result}) {constants} {{ {nodes} }}'
    )
    read = {name for node in model.graph.node for name in node.input}
    kept = [each for each in model.graph.initializer if each.name in read and each.name in named]
    del model.graph.initializer[:]
    model.graph.initializer.extend(kept)
    onnx.save(model, folder / "net.onnx")
    return compile_model(ModelRequest(folder / "net.onnx", "net"), find_board("host"))


def steps(made: Compiled) -> list[str]:
    return [step.node.op.mnemonic for step in made.schedule.steps]


@pytest.mark.parametrize(("nodes", "source", "result", "kinds", "arena_bytes"), CASES)
def test_other_shapes_and_parts_are_views(
    nodes: str, source: str, result: str, kinds: list[str], arena_bytes: int, tmp_path: Path
) -> None:
    made = compiled(tmp_path, source, result, nodes)
    assert steps(made) == kinds
    assert made.plan.arena_bytes == arena_bytes
    assert len(made.program.calls) == len(kinds)


def test_a_pad_melts_into_its_consumer(tmp_path: Path) -> None:
    image, features = "float[1, 2, 6, 10] x", "float[1, 2, 6, 10] y"
    alone = compiled(tmp_path, image, features, "y = Conv <pads = [1, 2, 1, 2]> (x, weights)")
    apart = compiled(tmp_path, image, features, "a = Pad(x, pads) y = Conv(a, weights)")
    assert steps(apart) == steps(alone)
    assert "pad" not in steps(apart)
    assert apart.plan.arena_bytes == alone.plan.arena_bytes
    assert apart.program.calls == alone.program.calls
