# SPDX-License-Identifier: Apache-2.0
"""Convolutions with a sum: the bits of the two kernels one after the other, and how far the output may lie where."""

from __future__ import annotations

import math
from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Array, Graph, Node, Value
from stowage.ir.ops.elementwise import Add
from stowage.ir.ops.residual import Conv2dAdd
from stowage.ir.ops.window import Conv2d
from stowage.ir.reference import run
from stowage.ir.tensor_type import Quant, TensorType
from stowage.target.kernels.catalogue import lower
from stowage.target.kernels.conv2d_add import parts
from stowage.target.kernels.kernel import Direction, NoKernel, Site
from stowage.target.kernels.kernel_trial import Trial, run_trials
from stowage.target.kernels.operator_trial import OperatorTrial
from stowage.target.kernels.random_window import RandomWindow

KINDS = [
    (DType.I8, Arithmetic.ONNX, frozenset[str]()),
    (DType.I8, Arithmetic.ONNX, frozenset({"thumb1"})),
    (DType.I8, Arithmetic.TFLITE, frozenset[str]()),
    (DType.F32, Arithmetic.ONNX, frozenset[str]()),
]
ADDEND = 3


def trials(
    dtype: DType, arithmetic: Arithmetic, features: frozenset[str], seed: int, count: int = 60
) -> list[OperatorTrial]:
    """Sums with random convolutions, other than of single pixels."""
    random = np.random.default_rng(seed)
    windows = RandomWindow(random, dtype, arithmetic).trials(Conv2d, count)
    made = [_with_sum(each, random, Site({}, arithmetic, features)) for each in windows]
    return [each for each in made if each is not None]


def _with_sum(each: OperatorTrial, random: np.random.Generator, site: Site) -> OperatorTrial | None:
    conv, type_ = each.node.op, each.node.output.type
    if len(each.node.inputs) < 3 or not isinstance(conv, Conv2d):
        return None
    clamp = (-1.0, math.inf) if random.random() < 0.5 else None
    op = Conv2dAdd(conv, type_.quant, Add(clamp))
    addend = Value("addend", _sibling(type_, random))
    node = Node("node", op, (*each.node.inputs, addend), (Value("output", _sibling(type_, random)),))
    arrays = (*each.arrays, _elements(addend.type, random))
    named = {value.name: array for value, array in zip(node.inputs, arrays, strict=True)}
    expected = run(Graph("trial", node.inputs, node.outputs, (node,), site.arithmetic), named)["output"]
    try:
        call = lower(node, replace(site, constants={value.name: named[value.name] for value in node.inputs[1:3]}))
    except NoKernel:
        return None
    return OperatorTrial(node, call, arrays, expected)


def _sibling(type_: TensorType, random: np.random.Generator) -> TensorType:
    """The same shape at another scale."""
    if type_.quant is None:
        return type_
    scale = type_.quant.scale * 2.0 ** random.uniform(-2, 2)
    return replace(type_, quant=Quant((float(np.float32(scale)),), (int(random.integers(-128, 128)),)))


def _elements(type_: TensorType, random: np.random.Generator) -> Array:
    if type_.quant is None:
        return random.normal(size=type_.shape).astype(np.float32)
    return random.integers(-128, 128, type_.shape).astype(np.int8)


def grouped(each: list[OperatorTrial]) -> list[list[OperatorTrial]]:
    """Those together that call one function."""
    groups: dict[str, list[OperatorTrial]] = defaultdict(list)
    for trial in each:
        groups[trial.call.function].append(trial)
    return list(groups.values())


def outputs(group: list[Trial]) -> list[Array]:
    """The output of each."""
    return [output for (output,) in run_trials(group)]


@pytest.mark.parametrize(("dtype", "arithmetic", "features"), KINDS)
def test_the_bits_of_one_kernel_after_the_other(dtype: DType, arithmetic: Arithmetic, features: frozenset[str]) -> None:
    (group,) = grouped(trials(dtype, arithmetic, features, 1))
    assert len(group) > 20
    convolutions, sums = zip(*(parts(each.node) for each in group), strict=True)
    sites = [Site(dict(zip(_names(each), each.arrays[1:3], strict=True)), arithmetic, features) for each in group]
    made = outputs(
        [
            Trial(lower(conv, site).walking(Direction.FORWARD), each.arrays[:3], (conv.output.type,))
            for conv, site, each in zip(convolutions, sites, group, strict=True)
        ]
    )
    summed = outputs(
        [
            Trial(lower(add, site), (first, each.arrays[ADDEND]), (add.output.type,))
            for add, site, first, each in zip(sums, sites, made, group, strict=True)
        ]
    )
    fused = outputs([each.trial for each in group])
    for each, one, other in zip(group, fused, summed, strict=True):
        assert one.tobytes() == other.tobytes(), f"{each.node}"
        if dtype is DType.I8:
            np.testing.assert_array_equal(one, each.expected)


def _names(each: OperatorTrial) -> tuple[str, str]:
    return each.node.inputs[1].name, each.node.inputs[2].name


@pytest.mark.parametrize(("dtype", "arithmetic", "features"), KINDS)
def test_declared_distances_are_safe_and_so_are_larger_ones(
    dtype: DType, arithmetic: Arithmetic, features: frozenset[str]
) -> None:
    (group,) = grouped(trials(dtype, arithmetic, features, 2))
    size = dtype.size_bytes
    for further in (0, 1, 7):
        pairs = [(each, overlap) for each in group for overlap in each.call.overlaps]
        assert {overlap.direction for _, overlap in pairs} == {Direction.FORWARD}
        wider = [(each, replace(o, distance_bytes=o.distance_bytes + further * size)) for each, o in pairs]
        apart = outputs([each.trial for each, _ in wider])
        over = outputs([replace(each.trial, overlap=overlap) for each, overlap in wider])
        for (each, overlap), one, other in zip(wider, apart, over, strict=True):
            assert one.tobytes() == other.tobytes(), f"{overlap} {each.node}"


def _open_ended(each: OperatorTrial) -> OperatorTrial:
    """The trial without activations, so that every operand's bits show."""
    bounds = {"lowest": -math.inf, "highest": math.inf}
    parameters = tuple((name, bounds.get(name.split(".")[-1], value)) for name, value in each.call.parameters)
    return replace(each, call=replace(each.call, parameters=parameters))


def test_declared_distances_are_exact() -> None:
    (group,) = grouped([_open_ended(each) for each in trials(*KINDS[-1], 3)])
    pairs = [(each, o) for each in group for o in each.call.overlaps if o.distance_bytes > 0 or o.input == ADDEND]
    pairs = [(each, overlap) for each, overlap in pairs if each.node.output.type.elements > 1]
    apart = outputs([each.trial for each, _ in pairs])
    closer = [replace(overlap, distance_bytes=overlap.distance_bytes - 4) for _, overlap in pairs]
    spoiled = outputs([replace(each.trial, overlap=o) for (each, _), o in zip(pairs, closer, strict=True)])
    for (each, overlap), one, other in zip(pairs, apart, spoiled, strict=True):
        assert one.tobytes() != other.tobytes(), f"{overlap} is more than {each.node} needs"
    assert len({id(each) for each, overlap in pairs if overlap.input == 0}) > 10


def test_no_address_is_touched_that_is_not_its_own() -> None:
    for kind in KINDS:
        (group,) = grouped(trials(*kind, 4, 20))
        run_trials([each.trial for each in group], sanitise=True)


def test_only_layers_of_windows_have_such_a_kernel() -> None:
    random = np.random.default_rng(0)
    type_ = TensorType((1, 2, 2, 3), DType.F32)
    values = [
        Value("x", type_),
        Value("w", TensorType((3, 1, 1, 3), DType.F32)),
        Value("b", TensorType((3,), DType.F32)),
    ]
    node = Node("node", Conv2dAdd(Conv2d(), None, Add()), (*values, Value("a", type_)), (Value("y", type_),))
    site = Site({value.name: _elements(value.type, random) for value in values[1:]}, Arithmetic.ONNX)
    with pytest.raises(NoKernel, match="stw_fully_connected_f32"):
        lower(node, site)
