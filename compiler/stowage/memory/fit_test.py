# SPDX-License-Identifier: Apache-2.0
"""What a user is told whose model does not fit its board."""

from __future__ import annotations

from dataclasses import replace
from types import MappingProxyType

import pytest

from stowage.errors import DoesNotFit
from stowage.ir.dtype import DType
from stowage.ir.graph import Node, Value
from stowage.ir.ops.elementwise import Relu
from stowage.ir.tensor_type import TensorType
from stowage.memory.fit import check_fit
from stowage.memory.plan import Plan
from stowage.memory.planning import plan_memory
from stowage.memory.what_if import WhatIf
from stowage.schedule.schedule import Schedule, Step
from stowage.target.board import Master, RegionKind, Role
from stowage.target.core import CORES
from stowage.target.kernels.kernel import KernelCall
from stowage.target.target import Target, TargetRegion

X, H, Y = (
    Value(name, TensorType((elements,), DType.I8)) for name, elements in (("x", 1000), ("conv/out:0", 3000), ("y", 10))
)


def step(name: str, source: Value, output: Value, scratch: tuple[int, ...] = ()) -> Step:
    return Step(Node(name, Relu(), (source,), (output,)), KernelCall("h.h", "f", (), (), scratch_bytes=scratch))


SCHEDULE = Schedule("m", (X,), (Y,), (step("conv", X, H), step("pool", H, Y, (504,))), (), ())


def target(capacity_bytes: int) -> Target:
    region = TargetRegion("sram1", capacity_bytes, RegionKind.SRAM, 1, 1, 1, frozenset({Master.CPU}))
    return Target(
        "badge", "badge/board.textproto", CORES["cortex_m0"], frozenset(), MappingProxyType({Role.ARENA: (region,)})
    )


def test_a_plan_that_fits_exactly() -> None:
    plan = plan_memory(SCHEDULE, target(4000))
    assert (plan.arena_bytes, plan.bound_bytes) == (4000, 4000)
    assert {placed.region for placed in plan.placed} == {"sram1"}


def test_one_byte_too_few_names_region_excess_peak_and_remedy() -> None:
    with pytest.raises(DoesNotFit) as refusal:
        plan_memory(SCHEDULE, target(3999))
    assert str(refusal.value) == (
        'node "conv": the arena needs 4,000 B, but region sram1 of board badge has 3,999 B for it, 1 B too few; the '
        'peak holds "conv/out:0" (3,000 B), "x" (1,000 B); no placement of these tensors takes less than 4,000 B: half '
        'the elements (channels, rows or columns) of "x" and "conv/out:0" would make it about 2,018 B, which fits, or '
        "choose a board with more memory."
    )


def test_techniques_are_told_before_changes_of_the_model() -> None:
    asked: list[tuple[int, int]] = []

    def techniques(plan: Plan, capacity_bytes: int) -> tuple[WhatIf, ...]:
        asked.append((plan.arena_bytes, capacity_bytes))
        return (WhatIf("stripes", 3000, ""),)

    with pytest.raises(
        DoesNotFit, match=r"4,000 B: stripes would make it about 3,000 B, which fits, half the elements"
    ):
        plan_memory(SCHEDULE, target(3999), techniques)
    plan_memory(SCHEDULE, target(4000), techniques)
    assert asked == [(4000, 3999)]


def test_where_a_better_placement_might_fit_none_is_denied() -> None:
    plan = plan_memory(SCHEDULE, target(4000))
    loose = replace(plan, arena_bytes=4008, bound_bytes=3000)
    with pytest.raises(DoesNotFit, match=r'"x" \(1,000 B\); half the elements .* or choose a board with more memory'):
        check_fit(loose, target(4000).preferred(Role.ARENA), target(4000))


def test_what_helps_is_told_with_how_far_it_goes() -> None:
    floats = TensorType((250,), DType.F32)
    x, y = Value("x", floats), Value("y", floats)
    made = Schedule("m", (x,), (y,), (step("act", x, y),), (), ())
    with pytest.raises(DoesNotFit) as refusal:
        plan_memory(made, target(900))
    assert str(refusal.value).endswith(
        '; no placement of these tensors takes less than 2,000 B: quantize = "int8" would make it about 506 B, which '
        'fits, half the elements (channels, rows or columns) of "x" and "y" would make it about 1,004 B, 104 B too '
        "many, or choose a board with more memory."
    )


def test_what_is_too_large_while_the_caller_writes_is_said_so() -> None:
    wide = Schedule("m", (H,), (Y,), (step("pool", H, Y),), (), ())
    with pytest.raises(DoesNotFit, match=r'node "pool": the arena needs 3,010 B.*"conv/out:0"'):
        plan_memory(wide, target(100))
    unread = Schedule("m", (H, X), (Y,), (step("pool", X, Y),), (), ())
    with pytest.raises(DoesNotFit, match=r'the caller.s inputs: the arena needs 4,000 B.*"conv/out:0"'):
        plan_memory(unread, target(100))
