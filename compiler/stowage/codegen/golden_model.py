# SPDX-License-Identifier: Apache-2.0
"""Small models, a pool and a model of two sizes, and their C as it is kept in goldens/, for people and a test to read.

`./bazelw run //compiler/stowage/codegen:update_goldens` writes that anew.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from types import MappingProxyType

import numpy as np

from stowage.codegen.assemble import assemble
from stowage.codegen.c_pool import pool_header
from stowage.codegen.c_sized import sized_header
from stowage.codegen.files import c_files
from stowage.codegen.program import Program
from stowage.codegen.shared_data import share_data
from stowage.codegen.sized_program import SizedProgram
from stowage.codegen.variant import Variant
from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Graph, Node, Value, digest_of
from stowage.ir.ops.elementwise import Add, Sub
from stowage.ir.ops.movement import Constant, Reshape
from stowage.ir.ops.reduction import Softmax
from stowage.ir.ops.window import Conv2d
from stowage.ir.tensor_type import Quant, TensorType
from stowage.memory.caller_buffer import CallerBuffer
from stowage.memory.plan import Plan
from stowage.memory.planning import plan_memory
from stowage.memory.pool import Pool, PoolPlan, plan_pool
from stowage.schedule.order import in_best_order
from stowage.schedule.select import select
from stowage.schedule.states import keep_states
from stowage.target.board import Master, RegionKind, Role
from stowage.target.core import CORES
from stowage.target.target import Target, TargetRegion

GOLDENS = Path("compiler/stowage/codegen/goldens")

_WEIGHTS = np.arange(-18, 18, dtype=np.int8).reshape(2, 3, 3, 2)
_BIAS = np.array([100, -100], dtype=np.int32)
_DRIFT = np.arange(8, dtype=np.int8).reshape(1, 8)


def golden_program() -> Program:
    """The model, compiled for any board."""
    return program_of(golden_graph())


def golden_files() -> dict[str, str]:
    """The generated C of both models, and the manuals of a pool and of a model of two sizes, by file name."""
    pool, sized = golden_pool(), golden_sizes()
    manuals = {
        f"{pool.name}.h": pool_header(pool, [assemble(plan) for plan in pool.plans]),
        f"{sized.name}.h": sized_header(sized),
    }
    return {**c_files(golden_program()), **c_files(program_of(delay_graph(), {"before:0": "now:0"})), **manuals}


def golden_sizes() -> SizedProgram:
    """A meter of drift that is planned for two numbers of rows, with its one constant stored once."""
    programs = []
    for rows in (2, 4):
        graph = drift_graph(rows)
        schedule = keep_states(select(graph, frozenset()), {"before:0": "now:0"})
        (plan,) = plan_pool(Pool("drift", (schedule,)), "sram").plans
        program = assemble(replace(plan, share=None))
        programs.append(replace(program, variant=Variant("drift", (("rows", rows),))))
    sized, shared = share_data(programs, "drift")
    return SizedProgram("drift", sized, shared)


def golden_pool() -> PoolPlan:
    """Two filters with a state each, and two buffers of their caller's, in one arena."""
    schedule = keep_states(select(delay_graph(), frozenset()), {"before:0": "now:0"})
    buffers = (CallerBuffer("audio", "int16_t", 8, True), CallerBuffer("fft", "float", 4, False))
    filters = tuple(replace(schedule, name=name) for name in ("left", "right"))
    return plan_pool(Pool("stereo", filters, buffers), "sram")


def program_of(graph: Graph, states: Mapping[str, str] = MappingProxyType({})) -> Program:
    """The program of a graph that needs no passes, for a board with little memory."""
    return assemble(plan_of(graph, states))


def plan_of(graph: Graph, states: Mapping[str, str] = MappingProxyType({})) -> Plan:
    """The plan of that program."""
    return plan_memory(keep_states(in_best_order(select(graph, frozenset())), states), _target())


def golden_graph() -> Graph:
    """A convolution with a residual sum that is made in place, a view, and a softmax, all int8."""
    image = TensorType((1, 4, 4, 2), DType.I8, Quant((0.5,), (3,)))
    scores = TensorType((1, 32), DType.I8, image.quant)
    x, conv, total = (Value(name, image) for name in ("serving/image:0", "conv/out:0", "sum:0"))
    weights = Value("conv/weights", TensorType(_WEIGHTS.shape, DType.I8, Quant((0.01, 0.02), (0, 0), axis=0)))
    bias = Value("conv/bias", TensorType(_BIAS.shape, DType.I32, Quant((0.005, 0.01), (0, 0), axis=0)))
    flat = Value("flat", scores)
    probabilities = Value("probabilities", TensorType((1, 32), DType.I8, Quant((1 / 256,), (-128,))))
    nodes = (
        _constant(weights, _WEIGHTS),
        _constant(bias, _BIAS),
        Node("conv", Conv2d(pads=(1, 1, 1, 1), clamp=(0.0, 6.0)), (x, weights, bias), (conv,)),
        Node("sum", Add(), (x, conv), (total,)),
        Node("flatten", Reshape((1, 32)), (total,), (flat,)),
        Node("classify", Softmax(1), (flat,), (probabilities,)),
    )
    constants = {digest_of(array): array for array in (_WEIGHTS, _BIAS)}
    return Graph("tiny", (x,), (probabilities,), nodes, constants=constants)


def delay_graph() -> Graph:
    """A filter of first order on int8, whose last result is a state."""
    type_ = TensorType((1, 8), DType.I8, Quant((0.5,), (3,)))
    x, before, now, difference = (Value(name, type_) for name in ("x", "before:0", "now:0", "difference"))
    nodes = (
        Node("differ", Sub(), (x, before), (difference,)),
        Node("follow", Add(), (difference, before), (now,)),
    )
    return Graph("delay", (x, before), (difference, now), nodes)


def drift_graph(rows: int) -> Graph:
    """How far each row is from a reference, which moves by a constant in each run."""
    type_ = TensorType((1, 8), DType.I8, Quant((0.5,), (3,)))
    wide = TensorType((rows, 8), DType.I8, type_.quant)
    x, difference = (Value(name, wide) for name in ("x", "difference"))
    before, now, drift = (Value(name, type_) for name in ("before:0", "now:0", "drift"))
    nodes = (
        _constant(drift, _DRIFT),
        Node("differ", Sub(), (x, before), (difference,)),
        Node("move", Add(), (before, drift), (now,)),
    )
    return Graph(f"drift_{rows}", (x, before), (difference, now), nodes, constants={digest_of(_DRIFT): _DRIFT})


def main() -> int:
    """Writes the goldens into the workspace that Bazel runs in."""
    folder = Path(os.environ.get("BUILD_WORKSPACE_DIRECTORY", ".")) / GOLDENS
    folder.mkdir(parents=True, exist_ok=True)
    for name, text in golden_files().items():
        (folder / name).write_text(text, encoding="utf-8")
        print(GOLDENS / name)
    return 0


def _constant(value: Value, array: Array) -> Node:
    return Node(value.name, Constant(digest_of(array), value.type), (), (value,))


def _target() -> Target:
    region = TargetRegion("sram", 4096, RegionKind.SRAM, 1, 1, 1, frozenset({Master.CPU}))
    return Target("any", "any/board.textproto", CORES["host"], frozenset(), MappingProxyType({Role.ARENA: (region,)}))


if __name__ == "__main__":
    sys.exit(main())
