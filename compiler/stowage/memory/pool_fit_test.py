# SPDX-License-Identifier: Apache-2.0
"""What a user is told whose pool does not fit the board."""

from __future__ import annotations

from types import MappingProxyType

import pytest

from stowage.errors import DoesNotFit
from stowage.ir.dtype import DType
from stowage.ir.graph import Node, Value
from stowage.ir.ops.elementwise import Relu
from stowage.ir.tensor_type import TensorType
from stowage.memory.caller_buffer import CallerBuffer
from stowage.memory.pool import Pool, PoolPlan, plan_pool
from stowage.memory.pool_fit import check_pool_fit
from stowage.memory.pool_what_if import what_would_help_pool
from stowage.schedule.schedule import Schedule, Step
from stowage.target.board import Master, RegionKind, Role
from stowage.target.core import CORES
from stowage.target.kernels.kernel import KernelCall
from stowage.target.target import Target, TargetRegion


def model(name: str, input_bytes: int, output_bytes: int) -> Schedule:
    source, result = (
        Value(f"{name}/{end}", TensorType((size,), DType.I8))
        for end, size in (("in", input_bytes), ("out", output_bytes))
    )
    step = Step(Node(f"{name}_conv", Relu(), (source,), (result,)), KernelCall("h.h", "f", (), ()))
    return Schedule(name, (source,), (result,), (step,), (), ())


def check(pool: PoolPlan, capacity_bytes: int) -> None:
    region = TargetRegion("sram1", capacity_bytes, RegionKind.SRAM, 1, 1, 1, frozenset({Master.CPU}))
    roles = MappingProxyType({Role.ARENA: (region,)})
    target = Target("badge", "badge/board.textproto", CORES["cortex_m0"], frozenset(), roles)
    check_pool_fit(pool, region, target)


AUDIO = CallerBuffer("audio", "int16_t", 500, True)
POOL = plan_pool(Pool("speech", (model("wake", 100, 300), model("kws", 1000, 3000)), (AUDIO,)), "sram1")


def test_a_pool_that_fits_exactly() -> None:
    assert (POOL.kept_bytes, POOL.arena_bytes, POOL.bound_bytes) == (1000, 5000, 5000)
    check(POOL, 5000)


def test_one_byte_too_few_names_pool_model_step_and_what_is_kept() -> None:
    with pytest.raises(DoesNotFit) as refusal:
        check(POOL, 4999)
    assert str(refusal.value) == (
        'pool "speech": node "kws_conv" of model "kws": the arena needs 5,000 B, but region sram1 of board badge has '
        '4,999 B for it, 1 B too few; 1,000 B stay from run to run, and the peak holds "kws/out" (3,000 B), "kws/in" '
        '(1,000 B); no plan of this pool takes less than 5,000 B: leaving out model "kws" would make it about 1,404 B, '
        'which fits, half the elements (channels, rows or columns) of "kws/in" and "kws/out" in model "kws" would make '
        'it about 3,004 B, which fits, leaving out buffer "audio" would make it about 4,000 B, which fits, or choose a '
        "board with more memory."
    )


def test_what_is_said_to_help_does() -> None:
    """A pool without the model, without the buffer, and with a model of half the bytes, planned in earnest."""
    wake, kws = model("wake", 100, 300), model("kws", 1000, 3000)
    pools = (
        Pool("speech", (wake,), (AUDIO,)),
        Pool("speech", (wake, model("kws", 500, 1500)), (AUDIO,)),
        Pool("speech", (wake, kws)),
    )
    planned = [plan_pool(pool, "sram1").arena_bytes for pool in pools]
    assert [change.arena_bytes for change in what_would_help_pool(POOL)] == planned


def test_what_other_models_need_is_left() -> None:
    """Of two models that need the same, nothing about one of them helps."""
    pool = plan_pool(Pool("speech", (model("one", 100, 300), model("two", 100, 300))), "sram1")
    assert what_would_help_pool(pool) == ()
