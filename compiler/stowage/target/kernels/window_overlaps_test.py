# SPDX-License-Identifier: Apache-2.0
"""Safe distances of the window and matrix kernels, proved by brute force on random shapes, walking either way.

At the declared distance the output over its input is the output beside it; one element less spoils it. A byte that is
overwritten too early need not change the result of a window, so that shapes are tried with contents under which nearly
every byte counts: weights far from 0, outputs that neither saturate nor round much away, and several of each.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Array
from stowage.ir.ops.linear import FullyConnected
from stowage.ir.ops.op import Op
from stowage.ir.ops.window import AveragePool2d, Conv2d, DepthwiseConv2d, MaxPool2d
from stowage.target.kernels.kernel import FORWARD, Direction, KernelCall, KernelConstant, Overlap, ParameterValue
from stowage.target.kernels.kernel_trial import Trial, run_trials
from stowage.target.kernels.operator_trial import OperatorTrial
from stowage.target.kernels.random_window import RandomWindow

KINDS: list[type[Op]] = [AveragePool2d, Conv2d, DepthwiseConv2d, FullyConnected, MaxPool2d]
SHAPES = 1000
CONTENTS = 4
ROUNDS = 12
CORES = [frozenset[str](), frozenset({"thumb1"}), frozenset({"dsp", "mve"})]
"""Features by which the int8 kernels differ: how many rows, or channels of a pixel, they make at once."""
VARIANTS = [*((DType.I8, features) for features in CORES), (DType.F32, CORES[0])]

Run = tuple[OperatorTrial, Overlap]


def runs(kind: type[Op], dtype: DType, seed: int, features: frozenset[str] = CORES[0]) -> Iterator[list[Run]]:
    """Random shapes with each of their overlaps, those together that call one function."""
    groups: dict[str, list[Run]] = defaultdict(list)
    for each in RandomWindow(np.random.default_rng(seed), dtype, features=features).trials(kind, SHAPES):
        legible = replace(each, call=_legible(each.call))
        groups[each.call.function] += [(legible, overlap) for overlap in each.call.overlaps]
    yield from groups.values()


def _legible(call: KernelCall) -> KernelCall:
    """A call whose output shows what became of every input byte."""
    open_ended: dict[str, ParameterValue] = {
        "output.lowest": -128,
        "output.highest": 127,
        "output.zero_point": 0,
        "output.narrow": 1,
        "input_zero_point": 0,
    }
    if call.function.endswith("f32"):
        open_ended = {"output.lowest": -math.inf, "output.highest": math.inf}
    parameters = tuple((name, open_ended.get(name, value)) for name, value in call.parameters)
    constants = tuple(KernelConstant(each.role, _plain(each)) for each in call.constants)
    return replace(call, parameters=parameters, constants=constants)


def _plain(constant: KernelConstant) -> Array:
    """Weights of 2 to 4 or their opposites, a bias of 0, an output of a 32nd of the sum."""
    array = constant.array
    if constant.role == "weights":
        random = np.random.default_rng(array.size)
        weights = random.integers(2, 5, array.shape) * random.choice([-1, 1], array.shape)
        made: Array = weights.astype(array.dtype)
        return made
    return np.full_like(array, {"bias": 0, "multipliers": 1 << 30, "shifts": 35}[constant.role])


def _contents(each: OperatorTrial, count: int, seed: int = 0) -> list[OperatorTrial]:
    """The same call on other inputs. Under a maximum most elements are low, so that each that is not shows."""
    random = np.random.default_rng((count, seed))
    shape, dtype = each.arrays[0].shape, each.arrays[0].dtype
    op = each.node.op
    high = 1 / (1 + math.prod(op.kernel)) if isinstance(op, MaxPool2d) else 1.0
    made = []
    for _ in range(count):
        values = np.where(random.random(shape) < high, random.integers(-100, 101, shape), -120)
        made.append(replace(each, arrays=(values.astype(dtype), *each.arrays[1:])))
    return made


def _tells(shape: OperatorTrial) -> bool:
    """Whether an element written too early shows: not if it is the maximum of a part of the window that reads it."""
    return not isinstance(shape.node.op, MaxPool2d) or shape.node.output.type.shape[3] > 1


def _unspoiled(tight: Sequence[Run], seed: int) -> list[Run]:
    """Those whose results are right with a distance of one element less, whatever of some contents they are given."""
    trials = [(each, overlap) for shape, overlap in tight for each in _contents(shape, CONTENTS, seed)]
    apart = _outputs([each.trial for each, _ in trials])
    closer = _outputs([each.over(each.one_less(overlap)) for each, overlap in trials])
    same = np.array([np.array_equal(*pair) for pair in zip(apart, closer, strict=True)], bool).reshape(-1, CONTENTS)
    return [run for run, alike in zip(tight, same, strict=True) if alike.all()]


def _outputs(trials: Sequence[Trial]) -> list[Array]:
    return [output for (output,) in run_trials(trials)] if trials else []


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("dtype", "features"), VARIANTS)
def test_declared_distances_are_safe(kind: type[Op], dtype: DType, features: frozenset[str]) -> None:
    for group in runs(kind, dtype, 1, features):
        trials = [(each, overlap) for shape, overlap in group for each in _contents(shape, 2)]
        apart = _outputs([each.trial for each, _ in trials])
        turned = _outputs([replace(each.trial, call=each.over(o).call) for each, o in trials])
        safe = _outputs([each.over(overlap) for each, overlap in trials])
        for (each, overlap), beside, other_way, over in zip(trials, apart, turned, safe, strict=True):
            np.testing.assert_array_equal(other_way, beside, err_msg=f"{overlap.direction} {each.node}")
            np.testing.assert_array_equal(over, beside, err_msg=f"{overlap} {each.node}")


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize(("dtype", "features"), VARIANTS)
def test_declared_distances_are_exact(kind: type[Op], dtype: DType, features: frozenset[str]) -> None:
    checked = dict.fromkeys(Direction, 0)
    for group in runs(kind, dtype, 2, features):
        tight = [(shape, overlap) for shape, overlap in group if overlap.distance_bytes > 0 and _tells(shape)]
        for _, overlap in tight:
            checked[overlap.direction] += 1
        for seed in range(ROUNDS):
            tight = _unspoiled(tight, seed)
        assert not tight, f"{tight[0][1]} is more than {tight[0][0].node} needs"
    assert min(checked.values()) > SHAPES / 10


@pytest.mark.parametrize("kind", KINDS)
def test_every_call_can_walk_either_way(kind: type[Op]) -> None:
    (group,) = ([each for group in runs(kind, DType.F32, 3) for each in group],)
    assert {overlap.direction for _, overlap in group} == set(Direction)
    call = group[0][0].call
    assert FORWARD in call.parameters
    backward = call.walking(Direction.BACKWARD)
    assert ("backward", 1) in backward.parameters
    assert [overlap.direction for overlap in backward.overlaps] == [Direction.BACKWARD]
