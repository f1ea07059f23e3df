# SPDX-License-Identifier: Apache-2.0
"""Concats of channels that grow layer by layer: proved, and run under sanitisers and the poison watch."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, helper, numpy_helper

from stowage.codegen.assemble import assemble
from stowage.codegen.faithful import check_faithful
from stowage.codegen.validate import validate
from stowage.ir.graph import Array
from stowage.ir.ops.movement import Concat
from stowage.memory.planning import plan_as_it_is
from stowage.model_request import ModelRequest
from stowage.pipeline import Compiled, compile_model, compiled_as, schedule_model
from stowage.schedule.growths import concat_as_growth
from stowage.schedule.schedule import Schedule
from stowage.target.find_board import find_board
from tests.differential.generated_c import Broken, Case, build_and_run
from tests.differential.onnx_runtime import run_model

KINDS = ("Conv", "Pointwise", "ConvTranspose", "MaxPool", "AveragePool", "Sigmoid", "Input")
MODELS = 24
X: Array = np.random.default_rng(0).standard_normal((2, 3, 5, 5)).astype(np.float32)


@dataclass(slots=True)
class Draft:
    """Nodes and constants of a model, so far."""

    random: random.Random
    nodes: list[NodeProto] = field(default_factory=list)
    constants: dict[str, Array] = field(default_factory=dict)

    def node(self, op_type: str, inputs: Sequence[str], **attributes: Any) -> str:
        output = f"v{len(self.nodes)}"
        self.nodes.append(helper.make_node(op_type, inputs, [output], name=f"n{len(self.nodes)}", **attributes))
        return output

    def weights(self, *shape: int) -> str:
        name = f"w{len(self.constants)}"
        made = np.random.default_rng(len(self.constants)).standard_normal(shape)
        self.constants[name] = np.asarray(made / 4, np.float32)
        return name

    def layer(self, kind: str, source: str, channels: int) -> tuple[str, int]:
        """A layer that keeps height and width; its output and how many channels that has."""
        made, same = self.random.randint(1, 5), {"kernel_shape": [3, 3], "pads": [1, 1, 1, 1]}
        match kind:
            case "Conv":
                return self.node(kind, [source, self.weights(made, channels, 3, 3), self.weights(made)], **same), made
            case "Pointwise":
                return self.node("Conv", [source, self.weights(made, channels, 1, 1)]), made
            case "ConvTranspose":
                return self.node(kind, [source, self.weights(channels, made, 3, 3), self.weights(made)], **same), made
            case "MaxPool" | "AveragePool":
                return self.node(kind, [source], **same), channels
            case "Sigmoid":
                return self.node(kind, [source]), channels
        return source, channels


def model(seed: int) -> ModelProto:
    """Layers of the input, or of each other, that meet in a concat."""
    draft = Draft(random.Random(seed))
    chosen = draft.random.sample(KINDS, draft.random.randint(2, 5))
    if set(chosen) <= {"Sigmoid", "Input"}:
        chosen.append("Conv")
    made = [("x", 3)]
    parts = []
    for kind in chosen:
        parts.append(draft.layer(kind, *draft.random.choice(made if kind != "Input" else made[:1])))
        made.append(parts[-1])
    draft.random.shuffle(parts)
    whole = draft.node("Concat", [name for name, _ in parts], axis=1)
    draft.node("Conv", [whole, draft.weights(2, sum(channels for _, channels in parts), 3, 3)])
    return finished(draft)


def finished(draft: Draft) -> ModelProto:
    graph = helper.make_graph(
        draft.nodes,
        "growths",
        [helper.make_tensor_value_info("x", 1, X.shape)],
        [helper.make_tensor_value_info(draft.nodes[-1].output[0], 1, None)],
        [numpy_helper.from_array(array, name) for name, array in draft.constants.items()],
    )
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 18)], ir_version=8)


def grown(schedule: Schedule) -> Schedule:
    """The schedule with every concat growing that can."""
    for concat in [step.node.name for step in schedule.steps if isinstance(step.node.op, Concat)]:
        index = next(index for index, step in enumerate(schedule.steps) if step.node.name == concat)
        schedule = concat_as_growth(schedule, index) or schedule
    return schedule


def compiled_grown(path: Path, name: str) -> Compiled:
    """A model whose concats grow, be the arena smaller or not."""
    scheduled = schedule_model(ModelRequest(path, name), find_board("host"), lambda stage, level: None)
    plan = plan_as_it_is(grown(scheduled.striped), "ram")
    program = assemble(plan)
    validate(program)
    check_faithful(program, plan.schedule)
    return compiled_as(scheduled, plan, program)


def test_grown_concats_are_those_of_the_model(tmp_path: Path) -> None:
    protos = [model(seed) for seed in range(MODELS)]
    cases = []
    for seed, proto in enumerate(protos):
        path = tmp_path / f"m{seed}.onnx"
        path.write_bytes(proto.SerializeToString())
        cases.append(Case(compiled_grown(path, f"m{seed}"), ({"x": X},)))
    operators = [step.node.op.mnemonic for case in cases for step in case.compiled.schedule.steps]
    for kind in ("conv2d", "conv_transpose2d", "max_pool2d", "average_pool2d"):
        assert f"{kind}_beside" in operators
    for poison in (False, True):
        for proto, found in zip(protos, build_and_run(cases, tmp_path, poison), strict=True):
            assert not isinstance(found, Broken), found
            for output, expected in run_model(proto, {"x": X}).items():
                np.testing.assert_allclose(
                    found[0][output].astype(np.float64), expected.astype(np.float64), rtol=1e-4, atol=1e-5
                )


def test_a_concat_grows_where_the_arena_falls(tmp_path: Path) -> None:
    """A skip as wide as what comes up from below, which is made of an eighth of its bytes."""
    draft = Draft(random.Random(0))
    skip = draft.node("Conv", ["x", draft.weights(16, 3, 3, 3), draft.weights(16)], pads=[1, 1, 0, 0])
    down = draft.node("Conv", [skip, draft.weights(8, 16, 2, 2), draft.weights(8)], strides=[2, 2])
    up = draft.node("ConvTranspose", [down, draft.weights(8, 16, 2, 2)], strides=[2, 2])
    whole = draft.node("Concat", [up, skip], axis=1)
    draft.node("Conv", [whole, draft.weights(2, 32, 1, 1)])
    path = tmp_path / "u.onnx"
    path.write_bytes(finished(draft).SerializeToString())
    compiled = compile_model(ModelRequest(path, "u"), find_board("host"))
    assert "conv_transpose2d_beside" in [step.node.op.mnemonic for step in compiled.schedule.steps]
    skip_bytes, down_bytes = 2 * 4 * 4 * 16 * 4, 2 * 2 * 2 * 8 * 4
    assert compiled.plan.arena_bytes < 2 * skip_bytes + 2 * down_bytes < 3 * skip_bytes
