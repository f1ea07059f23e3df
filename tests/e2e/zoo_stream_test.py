# SPDX-License-Identifier: Apache-2.0
"""Real streaming models over many steps, where the machine has them: STOWAGE_ZOO names their folder.

A model streams if each of its inputs after the first has the type of the output in the same place. The forms that ONNX
Runtime's quantiser made of float models keep the same states in float32, so that one integer's rounding would show as
far more than a float's; zoo_tensor_test holds their tensors to a step. A model that has operators which Stowage doesn't
support yet is passed over; one that compiles has to be right.
"""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import onnx
import pytest
from onnx import ModelProto

from stowage.errors import UnsupportedModel
from stowage.pipeline import Compiled
from tests.e2e.stream import Arrays, compiled_stream, steps_by_hand, steps_in_c

ZOO = Path(os.environ.get("STOWAGE_ZOO", "/nonexistent"))
STEPS = 12
# Rounding differs in each step, and a state carries it on.
RELATIVE, INTEGER_STEPS = 1e-4, 2


def _states(model: ModelProto) -> dict[str, str]:
    """Outputs by inputs; none where they do not pair."""
    held, kept = model.graph.input[1:], model.graph.output[1:]
    alike = len(held) == len(kept) and all(a.type == b.type for a, b in zip(held, kept, strict=True))
    return {a.name: b.name for a, b in zip(held, kept, strict=True)} if alike else {}


def _streams() -> dict[Path, dict[str, str]]:
    paths = sorted(ZOO.glob("*/model.onnx"))
    found = {path: _states(onnx.load(path, load_external_data=False)) for path in paths}
    return {path: states for path, states in found.items() if states}


STREAMS = _streams()


def _first(compiled: Compiled) -> Arrays:
    """What states are before the first step."""
    states = [(state.held.value, state.initial) for state in compiled.program.states]
    return {value.name: np.full(value.type.shape, initial, value.type.dtype.numpy) for value, initial in states}


@pytest.mark.skipif(not STREAMS, reason="STOWAGE_ZOO does not name a folder of models")
@pytest.mark.parametrize("path", STREAMS or [Path()], ids=lambda path: path.parent.name)
def test_a_stream_is_that_of_states_fed_by_hand(path: Path, tmp_path: Path) -> None:
    states = STREAMS[path]
    try:
        compiled = compiled_stream(path, states)
    except UnsupportedModel as refusal:
        pytest.skip(str(refusal))
    (source,) = compiled.program.inputs
    vectors = np.load(path.parent / "input_0.npy")
    steps: list[Arrays] = [{source.value.name: vectors[step % len(vectors)]} for step in range(STEPS)]
    expected = steps_by_hand(path, steps, states, _first(compiled))
    found = steps_in_c(compiled, steps, tmp_path, poison=False)
    for mine, theirs in zip(found, expected, strict=True):
        for name, array in theirs.items():
            real = array.dtype.kind == "f"
            tolerance = {"rtol": RELATIVE, "atol": RELATIVE} if real else {"rtol": 0, "atol": INTEGER_STEPS}
            np.testing.assert_allclose(mine[name].astype(float), array.astype(float), **tolerance, err_msg=name)
