# SPDX-License-Identifier: Apache-2.0
"""Test support: one operator on given operands, lowered to its kernel call, with what the reference makes of it.

`check_overlaps` proves a call's safe distances by brute force: at the declared distance the result must be the one of
buffers apart, and one element less must spoil it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Array, Graph, Node, Value
from stowage.ir.ops.op import Op
from stowage.ir.reference import run
from stowage.ir.tensor_type import Quant, TensorType
from stowage.target.kernels.kernel import KernelCall, Lowering, Overlap, Place, Site
from stowage.target.kernels.kernel_trial import Trial, run_trials

_ELEMENT_BYTES = {"float": 4, "int64_t": 8, "uint64_t": 8, "int32_t": 4, "uint32_t": 4, "int16_t": 2, "uint16_t": 2}


@dataclass(frozen=True, slots=True)
class OperatorTrial:
    """A node, its lowering, its operands' elements and the elements that the reference expects."""

    node: Node
    call: KernelCall
    arrays: tuple[Array, ...]
    expected: Array

    @property
    def trial(self) -> Trial:
        """The call with buffers apart."""
        return Trial(self.call, self.arrays, (self.node.output.type,))

    def over(self, overlap: Overlap) -> Trial:
        """The call with its output over an input, walking as that needs."""
        return replace(self.trial, call=self.call.walking(overlap.direction), overlap=overlap)

    def one_less(self, overlap: Overlap) -> Overlap:
        """The overlap with its distance less the smaller of the two elements that the kernel moves."""
        sizes = [
            _ELEMENT_BYTES.get(argument.ctype, 1)
            for argument in self.call.arguments
            if argument.place is Place.OUTPUT or (argument.place is Place.INPUT and argument.index == overlap.input)
        ]
        return replace(overlap, distance_bytes=overlap.distance_bytes - min(sizes))


def operator_trial(
    lowering: Lowering,
    op: Op,
    operands: Sequence[tuple[TensorType, Array]],
    *,
    result: TensorType | None = None,
    constants: Sequence[int] = (),
    arithmetic: Arithmetic = Arithmetic.ONNX,
) -> OperatorTrial:
    """A trial of `op`.

    Args:
        lowering: what makes the call.
        op: the operator.
        operands: type and elements of each.
        result: the output's type, where the operands do not say it.
        constants: indices of the operands that are constants of the graph.
        arithmetic: whose integers are computed.
    """
    inputs = tuple(Value(f"input_{index}", type_) for index, (type_, _) in enumerate(operands))
    output = Value("output", result or op.result_types(tuple(type_ for type_, _ in operands))[0])
    node = Node("node", op, inputs, (output,))
    arrays = {value.name: array for value, (_, array) in zip(inputs, operands, strict=True)}
    expected = run(Graph("trial", inputs, (output,), (node,), arithmetic), arrays)["output"]
    site = Site({f"input_{index}": operands[index][1] for index in constants}, arithmetic)
    return OperatorTrial(node, lowering(node, site), tuple(arrays.values()), expected)


def results(trials: Sequence[OperatorTrial], *, sanitise: bool = False) -> list[Array]:
    """The output of each trial, which call one function."""
    return [output for (output,) in run_trials([each.trial for each in trials], sanitise=sanitise)]


def check_equal(trials: Sequence[OperatorTrial], *, sanitise: bool = False) -> None:
    """Every trial gives the reference's elements, bit for bit."""
    for each, output in zip(trials, results(trials, sanitise=sanitise), strict=True):
        np.testing.assert_array_equal(output, each.expected, err_msg=f"{each.call}")


def check_close(trials: Sequence[OperatorTrial], *, relative: float, absolute: float = 0.0) -> None:
    """Every trial gives the reference's elements within a tolerance."""
    for each, output in zip(trials, results(trials), strict=True):
        near = np.asarray(output, np.float64), np.asarray(each.expected, np.float64)
        np.testing.assert_allclose(*near, rtol=relative, atol=absolute, err_msg=f"{each.call}")


def check_overlaps(trials: Sequence[OperatorTrial], *, exact_at_zero: bool = False) -> None:
    """Every overlap that the calls declare is safe, and where it is above zero (or `exact_at_zero`) exact.

    A spoiled result can by chance equal the right one, so each trial must be one whose elements are all different.
    """
    pairs = [(each, overlap) for each in trials for overlap in each.call.overlaps]
    apart = results([each for each, _ in pairs])
    safe = run_trials([each.over(overlap) for each, overlap in pairs])
    for (each, overlap), separate, (output,) in zip(pairs, apart, safe, strict=True):
        np.testing.assert_array_equal(output, separate, err_msg=f"{overlap} of {each.call}")
    tight = [
        (each, each.one_less(overlap), separate)
        for (each, overlap), separate in zip(pairs, apart, strict=True)
        if overlap.distance_bytes > 0 or exact_at_zero
    ]
    spoiled = run_trials([each.over(overlap) for each, overlap, _ in tight]) if tight else []
    for (each, overlap, separate), (output,) in zip(tight, spoiled, strict=True):
        assert output.tobytes() != separate.tobytes(), f"{overlap} is as good for {each.call}"


def tensor(shape: tuple[int, ...], dtype: DType, scale: float | None = None, zero_point: int = 0) -> TensorType:
    """A tensor's type, quantised with one scale where that is given."""
    quant = None if scale is None else Quant((scale,), (zero_point,))
    return TensorType(shape, dtype, quant)


def integers(random: np.random.Generator, type_: TensorType) -> Array:
    """Elements of an integer type, all numbers of it as likely."""
    limits = np.iinfo(type_.dtype.numpy.name)
    return random.integers(limits.min, limits.max, type_.shape, dtype=type_.dtype.numpy.name, endpoint=True)


def reals(random: np.random.Generator, type_: TensorType, spread: float = 3.0) -> Array:
    """Floats of a normal distribution."""
    return (random.standard_normal(type_.shape) * spread).astype(type_.dtype.numpy)


def distinct(random: np.random.Generator, type_: TensorType) -> Array:
    """Elements whose bytes all differ from their neighbours', for overlaps to show.

    Each run of 256 bytes has every value once; the next one starts elsewhere, lest whole elements come back.
    """
    places = np.arange(type_.size_bytes)
    start = int(random.integers(0, 256))
    bytes_ = (places * 89 + places // 256 * 37 + start).astype(np.uint8)
    return bytes_.view(type_.dtype.numpy).reshape(type_.shape)
