# SPDX-License-Identifier: Apache-2.0
"""Einsum: diagonals, sums, and products of two operands at a time, each a product of matrices."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from stowage.frontend.from_onnx.einsum_equation import Labels, read_equation
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Mul
from stowage.ir.ops.linear import MatMul
from stowage.ir.ops.movement import Reshape, Slice, Transpose
from stowage.ir.ops.reduction import ReduceSum


@dataclass(frozen=True, slots=True)
class _Term:
    """A tensor and what its axes are called; no two are called the same."""

    value: Value
    labels: Labels

    def extent(self, labels: Iterable[str]) -> int:
        """The number of elements along these axes together."""
        extents = dict(zip(self.labels, self.value.type.shape, strict=True))
        return math.prod(extents[label] for label in labels)


def _einsum(site: NodeSite) -> Results:
    shapes = [site.type(index).shape for index in range(len(site.proto.input))]
    equation = read_equation(site, site.text("equation", ""), shapes)
    terms = [_diagonal(site, site.number(k), labels) for k, labels in enumerate(equation.operands)]
    terms = [_without_units(site, term, equation.extents) for term in terms]
    result = terms[0]
    for index, term in enumerate(terms[1:], 1):
        wanted = set(equation.result).union(*(later.labels for later in terms[index + 1 :]))
        result = _product(site, result, term, wanted)
    summed = _summed(site, result, set(equation.result))
    ordered = _ordered(site, summed, tuple(label for label in equation.result if label in summed.labels))
    return (site.add(Reshape(tuple(equation.extents[label] for label in equation.result)), ordered.value),)


def _diagonal(site: NodeSite, value: Value, labels: Labels) -> _Term:
    """Where two axes of extent n have one label, they become one of n * n, of which every (n + 1)-th element stays."""
    for label in dict.fromkeys(labels):
        while labels.count(label) > 1:
            first, second = [axis for axis, each in enumerate(labels) if each == label][:2]
            rest = [axis for axis in range(len(labels)) if axis not in (first, second)]
            shape = value.type.shape
            kept, n = tuple(shape[axis] for axis in rest), shape[first]
            value = site.add(Transpose((*rest, first, second)), value, role="together")
            value = site.add(Reshape((*kept, n * n)), value, role="squares")
            begins, steps = (0,) * (len(rest) + 1), (1,) * len(rest) + (n + 1,)
            value = site.add(Slice(begins, (*kept, n), steps), value, role="diagonal")
            labels = (*(labels[axis] for axis in rest), label)
    return _Term(value, labels)


def _without_units(site: NodeSite, term: _Term, extents: dict[str, int]) -> _Term:
    """Axes of extent 1 go: nothing is summed along them, and where another operand is longer they are repeated."""
    kept = tuple(label for label in term.labels if term.extent((label,)) != 1)
    return _Term(_reshaped(site, term.value, tuple(extents[label] for label in kept)), kept)


def _product(site: NodeSite, a: _Term, b: _Term, wanted: set[str]) -> _Term:
    """Axes of both that are wanted later are batches, those that are not are summed over."""
    a = _summed(site, a, wanted.union(b.labels))
    b = _summed(site, b, wanted.union(a.labels))
    both = [label for label in a.labels if label in b.labels]
    batch, inner = tuple(k for k in both if k in wanted), tuple(k for k in both if k not in wanted)
    rows = tuple(label for label in a.labels if label not in both)
    columns = tuple(label for label in b.labels if label not in both)
    a, b = _ordered(site, a, (*batch, *rows, *inner)), _ordered(site, b, (*batch, *inner, *columns))
    lead, depth = a.extent(batch), a.extent(inner)
    left = _reshaped(site, a.value, (lead, a.extent(rows), depth))
    right = _reshaped(site, b.value, (lead, depth, b.extent(columns)))
    product = site.add(MatMul() if inner else Mul(), left, right, role="product")
    shape = (*(a.extent((k,)) for k in (*batch, *rows)), *(b.extent((k,)) for k in columns))
    return _Term(_reshaped(site, product, shape), (*batch, *rows, *columns))


def _summed(site: NodeSite, term: _Term, wanted: set[str]) -> _Term:
    axes = tuple(axis for axis, label in enumerate(term.labels) if label not in wanted)
    if not axes:
        return term
    value = site.add(ReduceSum(axes, keepdims=False), term.value, role="sum")
    return _Term(value, tuple(label for label in term.labels if label in wanted))


def _ordered(site: NodeSite, term: _Term, labels: Labels) -> _Term:
    if term.labels == labels:
        return term
    permutation = tuple(term.labels.index(label) for label in labels)
    return _Term(site.add(Transpose(permutation), term.value, role="ordered"), labels)


def _reshaped(site: NodeSite, value: Value, shape: tuple[int, ...]) -> Value:
    return value if value.type.shape == shape else site.add(Reshape(shape), value, role="shaped")


IMPORTERS: Importers = {"Einsum": _einsum}
