# SPDX-License-Identifier: Apache-2.0
"""The model's tensors by their names in the file: those known while importing, and those that the graph computes."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from stowage.errors import InvalidModel, UnsupportedModel
from stowage.frontend.from_onnx.declared_types import Claim, check_size
from stowage.frontend.graph_builder import GraphBuilder
from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Value
from stowage.ir.tensor_type import Quant, TensorType

LARGEST_COMPUTED_BYTES = 2**28
"""For all tensors together that are computed while importing."""


class Tensors:
    """What each tensor name stands for. A known tensor becomes a constant when a node first wants it as a value."""

    def __init__(self, builder: GraphBuilder, known: Mapping[str, Array], claims: Mapping[str, Claim]) -> None:
        """Args: known: initialisers. claims: what the file says about the types of computed tensors."""
        self._builder = builder
        self._known = dict(known)
        self._claims = claims
        self._computed_bytes = 0
        self._values: dict[str, Value] = {}
        self._reals: dict[str, Array] = {}
        self._constants: dict[tuple[str, Quant | None], Value] = {}
        self._sequences: dict[str, tuple[str, ...]] = {}
        self._absent: set[str] = set()

    def bind(self, name: str, value: Value, where: str) -> None:
        """Says that the tensor `name` is this value, whose type the file must not contradict."""
        self._check(name, value.type, where)
        self._values[name] = value

    def bind_known(self, name: str, array: Array, where: str) -> None:
        """Says that the tensor `name` is this array."""
        self._check(name, TensorType(tuple(array.shape), _dtype_of(array, where)), where)
        self._known[name] = array
        self._computed_bytes += array.nbytes
        if self._computed_bytes > LARGEST_COMPUTED_BYTES:
            raise UnsupportedModel(
                where=where,
                reason=f"constants computed at build time take more than {LARGEST_COMPUTED_BYTES} bytes",
                remedy="fold constants before export",
            )

    def alias(self, name: str, other: str, where: str) -> None:
        """Says that `name` is what `other` is: a tensor, a sequence, or nothing."""
        if other in self._sequences:
            self._sequences[name] = self._sequences[other]
        elif other in self._absent:
            self._absent.add(name)
        else:
            self._check(name, self.type(other), where)
            self._alias_tensor(name, other)

    def _alias_tensor(self, name: str, other: str) -> None:
        if other in self._known:
            self._known[name] = self._known[other]
            return
        self._values[name] = self._values[other]
        self._builder.rename(self._values[name], name)
        if other in self._reals:
            self._reals[name] = self._reals[other]

    def bind_sequence(self, name: str, items: tuple[str, ...]) -> None:
        """Says that `name` is a sequence of these tensors."""
        self._sequences[name] = items

    def sequence(self, name: str) -> tuple[str, ...] | None:
        """What a sequence consists of; None where the name is no sequence's."""
        return self._sequences.get(name)

    def bind_absent(self, name: str) -> None:
        """Says that `name` is an optional value that is not there."""
        self._absent.add(name)

    def is_absent(self, name: str) -> bool:
        """Whether the name is an optional value's that is not there."""
        return name in self._absent

    def known(self, name: str) -> Array | None:
        """The elements of a tensor that is known while importing."""
        return self._known.get(name)

    def bind_reals(self, name: str, array: Array) -> None:
        """Says which reals a value holds that a DequantizeLinear makes of a constant."""
        self._reals[name] = array

    def elements(self, name: str) -> Array | None:
        """The elements of a tensor that no input changes: known, or behind a DequantizeLinear."""
        return self._known.get(name, self._reals.get(name))

    def type(self, name: str) -> TensorType:
        """The type of a tensor, known or computed."""
        array = self._known.get(name)
        return self._computed(name).type if array is None else TensorType(tuple(array.shape), DType.of(array.dtype))

    def value(self, name: str, reader: str, quant: Quant | None = None) -> Value:
        """The tensor as a value; a known one is quantised as given. `reader` names who wants it in refusals.

        Raises:
            InvalidModel: it is known and has a NaN.
            UnsupportedModel: it is known and empty.
        """
        array = self._known.get(name)
        if array is None:
            return self._computed(name)
        key = (name, quant)
        if key not in self._constants:
            _check_constant(name, array, reader)
            constant = self._builder.constant(name, array, quant)
            self._builder.rename(constant, name if quant is None else constant.name)
            self._constants[key] = constant
        return self._constants[key]

    def _computed(self, name: str) -> Value:
        if name in self._values:
            return self._values[name]
        is_list = name in self._sequences
        reason = "it is a sequence" if is_list else "it is absent" if name in self._absent else "nothing makes it"
        raise InvalidModel(
            where=f"tensor {name!r}", reason=f"{reason}, but it is read as a tensor", remedy="export the model again"
        )

    def _check(self, name: str, type: TensorType, where: str) -> None:
        claim = self._claims.get(name)
        if claim is not None:
            claim.check(type, where)


def _dtype_of(array: Array, where: str) -> DType:
    try:
        return DType.of(array.dtype)
    except KeyError:
        raise UnsupportedModel(
            where=where,
            reason=f"element type {array.dtype} is not supported",
            remedy="use float32 or a signed or unsigned integer of 8 to 64 bits",
        ) from None


def _check_constant(name: str, array: Array, reader: str) -> None:
    check_size(TensorType(tuple(array.shape), DType.of(array.dtype)), reader)
    if array.dtype.kind == "f" and np.isnan(array).any():
        raise InvalidModel(
            where=reader,
            reason=f"element {first_index(np.isnan(array))} of the constant {name!r} is nan",
            remedy="train the model again",
        )


def first_index(mask: Array) -> list[int]:
    """Indices of the first true element."""
    return [int(index) for index in np.argwhere(mask)[0]]
