# SPDX-License-Identifier: Apache-2.0
"""States that live from run to run: many steps in C are those of ONNX Runtime whose states are fed by hand."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
from onnx import NodeProto, helper, numpy_helper

from stowage.ir.dtype import DType
from stowage.ir.graph import Array
from stowage.ir.tensor_type import TensorType
from stowage.quantise.request import Quantisation
from tests.e2e.stream import Arrays, compiled_stream, steps_by_hand, steps_in_c

RANDOM = np.random.default_rng(12)
STEPS = 9
F32 = np.float32


def saved(
    folder: Path, nodes: list[NodeProto], inputs: dict[str, Any], outputs: list[str], constants: dict[str, Array]
) -> Path:
    """A model file: inputs by name as arrays of their type and shape."""
    typed = [
        helper.make_tensor_value_info(name, helper.np_dtype_to_tensor_dtype(array.dtype), array.shape)
        for name, array in inputs.items()
    ]
    results = [helper.make_empty_tensor_value_info(name) for name in outputs]
    initialisers = [numpy_helper.from_array(array, name) for name, array in constants.items()]
    graph = helper.make_graph(nodes, "stream", typed, results, initialisers)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)
    (folder / "stream.onnx").write_bytes(model.SerializeToString())
    return folder / "stream.onnx"


def reals(*shape: int) -> Any:
    return RANDOM.normal(size=shape).astype(F32)


def ints(*numbers: int) -> Any:
    return np.array(numbers, np.int64)


def check(path: Path, states: dict[str, str], first: Arrays, steps: list[Arrays], folder: Path, step_of: int) -> None:
    """With and without the watch; integers are within `step_of`, floats within 1e-5."""
    compiled = compiled_stream(path, states)
    expected = steps_by_hand(path, steps, states, first)
    for poison in (False, True):
        found = steps_in_c(compiled, steps, folder, poison=poison)
        for mine, theirs in zip(found, expected, strict=True):
            assert mine.keys() == theirs.keys()
            for name, array in theirs.items():
                assert (mine[name].shape, mine[name].dtype) == (array.shape, array.dtype)
                tolerance = {"rtol": 1e-5, "atol": 1e-5} if array.dtype.kind == "f" else {"rtol": 0, "atol": step_of}
                np.testing.assert_allclose(mine[name].astype(float), array.astype(float), **tolerance)


def quantised(array: Any, type_: TensorType) -> Any:
    """Reals as a tensor's integers."""
    assert type_.quant is not None
    steps = np.rint(array / type_.quant.scale) + type_.quant.zero_point
    return np.clip(steps, -128, 127).astype(np.int8)


def real(array: Any, type_: TensorType) -> Any:
    """What a tensor's integers stand for."""
    assert type_.quant is not None
    return (array.astype(float) - type_.quant.zero_point) * type_.quant.scale


def frames(**shapes: tuple[int, ...]) -> list[Arrays]:
    return [{name: reals(*shape) for name, shape in shapes.items()} for _ in range(STEPS)]


GRU_STATE = {"h_in": "h_out"}


def gru(folder: Path) -> Path:
    constants = {"w": reals(1, 12, 3), "r": reals(1, 12, 4), "b": reals(1, 24), "k": reals(4, 2)}
    nodes = [
        helper.make_node("GRU", ["x", "w", "r", "b", "", "h_in"], ["", "h_out"], hidden_size=4),
        helper.make_node("MatMul", ["h_out", "k"], ["y"]),
    ]
    return saved(folder, nodes, {"x": reals(1, 1, 3), "h_in": reals(1, 1, 4)}, ["y", "h_out"], constants)


def test_a_recurrent_layer(tmp_path: Path) -> None:
    path = gru(tmp_path)
    check(path, GRU_STATE, {"h_in": np.zeros((1, 1, 4), F32)}, frames(x=(1, 1, 3)), tmp_path, 0)


def test_a_recurrent_layer_makes_its_state_in_place(tmp_path: Path) -> None:
    program = compiled_stream(gru(tmp_path), GRU_STATE).program
    (state,) = program.states
    assert not any("copy" in call.function for call in program.calls)
    assert state.kept.offset_bytes == state.held.offset_bytes


def ring(folder: Path) -> Path:
    """A convolution over the last five frames, of which four are kept."""
    nodes = [
        helper.make_node("Concat", ["old", "x"], ["all"], axis=2),
        helper.make_node("Conv", ["all", "w", "b"], ["conv"]),
        helper.make_node("Relu", ["conv"], ["y"]),
        helper.make_node("Slice", ["all", "one", "end", "two"], ["new"]),
    ]
    constants = {"w": reals(5, 3, 5), "b": reals(5), "one": ints(1), "end": ints(9), "two": ints(2)}
    return saved(folder, nodes, {"x": reals(1, 3, 1), "old": reals(1, 3, 4)}, ["y", "new"], constants)


def test_a_ring_of_frames(tmp_path: Path) -> None:
    path = ring(tmp_path)
    check(path, {"old": "new"}, {"old": np.zeros((1, 3, 4), F32)}, frames(x=(1, 3, 1)), tmp_path, 0)


def test_two_states_that_feed_each_other(tmp_path: Path) -> None:
    """A chain of delays: each state becomes what the one before it was, in whatever order the steps come."""
    nodes = [
        helper.make_node("Identity", ["a"], ["b_next"]),
        helper.make_node("Identity", ["b"], ["c_next"]),
        helper.make_node("Add", ["x", "c"], ["a_next"]),
        helper.make_node("Sub", ["a", "b"], ["y"]),
    ]
    states = {"a": "a_next", "b": "b_next", "c": "c_next"}
    inputs = {name: reals(2, 3) for name in ("x", *states)}
    path = saved(tmp_path, nodes, inputs, ["y", *states.values()], {})
    check(path, states, {name: np.zeros((2, 3), F32) for name in states}, frames(x=(2, 3)), tmp_path, 0)


def test_states_that_change_places(tmp_path: Path) -> None:
    nodes = [
        helper.make_node("Add", ["a", "x"], ["sum"]),
        helper.make_node("Identity", ["b"], ["a_next"]),
        helper.make_node("Identity", ["sum"], ["b_next"]),
    ]
    states = {"a": "a_next", "b": "b_next"}
    path = saved(tmp_path, nodes, {name: reals(4) for name in ("x", "a", "b")}, ["b_next", "a_next"], {})
    check(path, states, {name: np.zeros(4, F32) for name in states}, frames(x=(4,)), tmp_path, 0)


def test_a_quantised_state_begins_with_its_zero_point(tmp_path: Path) -> None:
    """An int8 accumulator that forgets half in each step."""
    constants: dict[str, Array] = {"s": np.array(0.05, F32), "z": np.array(7, np.int8), "half": np.array(0.5, F32)}
    nodes = [
        helper.make_node("DequantizeLinear", ["x", "s", "z"], ["x_real"]),
        helper.make_node("DequantizeLinear", ["h_in", "s", "z"], ["h_real"]),
        helper.make_node("Mul", ["h_real", "half"], ["faded"]),
        helper.make_node("Add", ["faded", "x_real"], ["h_sum"]),
        helper.make_node("QuantizeLinear", ["h_sum", "s", "z"], ["h_out"]),
    ]
    kind = np.zeros((1, 6), np.int8)
    path = saved(tmp_path, nodes, {"x": kind, "h_in": kind}, ["h_out"], constants)
    steps: list[Arrays] = [{"x": RANDOM.integers(-60, 60, (1, 6), dtype=np.int8)} for _ in range(STEPS)]
    (state,) = compiled_stream(path, GRU_STATE).program.states
    assert state.initial == 7
    check(path, GRU_STATE, {"h_in": np.full((1, 6), 7, np.int8)}, steps, tmp_path, 1)


def test_a_state_of_a_model_that_the_build_quantises(tmp_path: Path) -> None:
    """Both ends of the state are int8 in one scale, and what the stream gives is near what the floats give."""
    path, steps = ring(tmp_path), frames(x=(1, 3, 1))
    calibration = tmp_path / "calibration.npz"
    np.savez(calibration, x=reals(200, 1, 3, 1), old=reals(200, 1, 3, 4))
    compiled = compiled_stream(path, {"old": "new"}, Quantisation(calibration))
    types = {port.value.name: port.value.type for port in (*compiled.program.inputs, *compiled.program.outputs)}
    (state,) = compiled.program.states
    assert state.held.value.type == state.kept.value.type
    assert state.held.value.type.dtype is DType.I8
    fed: list[Arrays] = [{"x": quantised(step["x"], types["x"])} for step in steps]
    first: Arrays = {"old": np.zeros((1, 3, 4), F32)}
    expected: Any = np.stack([step["y"] for step in steps_by_hand(path, steps, {"old": "new"}, first)])
    for poison in (False, True):
        found = steps_in_c(compiled, fed, tmp_path, poison=poison)
        y = np.stack([real(step["y"], types["y"]) for step in found])
        assert np.sqrt(np.mean((y - expected) ** 2)) < 0.02 * np.sqrt(np.mean(expected**2))


@pytest.mark.parametrize("make", [gru, ring])
def test_nothing_else_ever_lies_over_a_state(make: Any, tmp_path: Path) -> None:
    path = make(tmp_path)
    model = onnx.load(path)
    held, kept = model.graph.input[1].name, model.graph.output[1].name
    compiled = compiled_stream(path, {held: kept})
    (state,) = compiled.program.states
    begin, end = state.held.offset_bytes, state.held.offset_bytes + state.held.value.type.size_bytes
    own = {state.held.buffer, state.kept.buffer}
    strangers = [
        slot.buffer
        for slot in compiled.program.slots
        if slot.buffer not in own and slot.offset_bytes < end and begin < slot.offset_bytes + slot.size_bytes
    ]
    assert strangers == []
