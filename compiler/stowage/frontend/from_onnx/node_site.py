# SPDX-License-Identifier: Apache-2.0
"""A node of the file as an operator's importer sees it: operands, attributes, and the graph that grows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from onnx import AttributeProto, NodeProto

from stowage.errors import InvalidModel, UnsupportedModel
from stowage.frontend.from_onnx.declared_types import check_size
from stowage.frontend.from_onnx.graph_order import describe
from stowage.frontend.from_onnx.tensors import Tensors, first_index
from stowage.frontend.graph_builder import GraphBuilder
from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Value
from stowage.ir.ops.elementwise import Table
from stowage.ir.ops.movement import Reshape, Transpose
from stowage.ir.ops.op import Op
from stowage.ir.tensor_type import Quant, TensorType

_KINDS = {
    AttributeProto.INT: "i",
    AttributeProto.FLOAT: "f",
    AttributeProto.STRING: "s",
    AttributeProto.INTS: "ints",
    AttributeProto.FLOATS: "floats",
    AttributeProto.TENSOR: "t",
}


@dataclass(frozen=True, slots=True)
class NodeSite:
    """One node of the file, and where its translation goes.

    Attributes:
        proto: the node.
        opset: version of ONNX's operator set.
        tensors: what the names of its operands stand for.
        builder: the graph.
        caller: how messages name the node of the file in whose body this one stands, if in any.
    """

    proto: NodeProto
    opset: int
    tensors: Tensors
    builder: GraphBuilder
    caller: str = ""

    # Operands

    def has(self, index: int) -> bool:
        """Whether the optional operand is there."""
        return index < len(self.proto.input) and bool(self.proto.input[index])

    def type(self, index: int) -> TensorType:
        """The type of an operand."""
        return self.tensors.type(self._input(index))

    def is_known(self, index: int) -> bool:
        """Whether no input of the model changes the operand."""
        return self.tensors.elements(self._input(index)) is not None

    def known(self, index: int, what: str) -> Array:
        """The elements of an operand that must be constant: `what` names it in the refusal."""
        array = self.elements(index)
        if array is None:
            raise self.unsupported(
                f"{what} ({self._input(index)!r}) is computed at run time, but must be constant",
                "make it an initialiser, or simplify the model with its input shapes fixed",
            )
        return array

    def elements(self, index: int) -> Array | None:
        """The elements of an operand that no input of the model changes; None where one does."""
        return self.tensors.elements(self._input(index))

    def known_ints(self, index: int, what: str) -> tuple[int, ...]:
        """The elements of a constant operand that is a list of integers, or one integer."""
        array = self.known(index, what)
        if array.dtype.kind not in "iu" or array.ndim > 1:
            raise self.invalid(f"{what} must be a list of integers, but is {array.dtype}{list(array.shape)}")
        return tuple(int(element) for element in array.reshape(-1))

    def operand(self, index: int) -> Value:
        """An operand as it is: for operators that only move elements, whatever these stand for."""
        return self.tensors.value(self._input(index), self.where)

    def number(self, index: int) -> Value:
        """An operand of an operator that computes with the elements themselves: quantisation, if any, is put aside."""
        value = self.operand(index)
        return value if value.type.quant is None else self.quantised(value, None)

    def real(self, index: int) -> Value:
        """An operand that must be floating-point."""
        value = self.operand(index)
        if not value.type.dtype.is_float:
            raise self.unsupported(
                f"operand {index} has elements of type {value.type.dtype.value}, but only floating point is supported",
                "put a DequantizeLinear or a Cast before it",
            )
        return value

    def weights(self, index: int) -> Value:
        """A floating-point operand of a product: if constant, then finite."""
        name = self._input(index)
        array = self.tensors.known(name)
        if array is not None and array.dtype.kind == "f" and not np.isfinite(array).all():
            at = first_index(~np.isfinite(array))
            raise self.invalid(
                f"element {at} of the constant {name!r} is {array[tuple(at)]:g}", "train the model again"
            )
        return self.real(index)

    def quantised_operand(self, index: int, quant: Quant) -> Value:
        """An integer operand that stands for reals in the given way."""
        name = self._input(index)
        if self.tensors.known(name) is not None:
            return self.tensors.value(name, self.where, quant)
        return self.quantised(self.operand(index), quant)

    def quantised(self, value: Value, quant: Quant | None) -> Value:
        """The same integers under another quantisation: as they are where it is theirs, else through a table."""
        if value.type.quant == quant:
            return value
        dtype = value.type.dtype
        if dtype not in (DType.I8, DType.U8):
            raise self.unsupported(
                f"operand {value.name!r} of type {dtype.value} is read with another quantisation than it is made with",
                "let all who read it use one scale and zero point",
            )
        same = np.arange(256).astype(dtype.numpy) if dtype is DType.U8 else np.arange(-128, 128).astype(dtype.numpy)
        table = self.builder.constant(f"{value.name}.same", same)
        return self.add(Table(quant), value, table, role="requantised")

    # Attributes

    def integer(self, name: str, default: int) -> int:
        """An integer attribute."""
        value: int = self._attribute(name, AttributeProto.INT, default)
        return value

    def flag(self, name: str, default: bool = False) -> bool:
        """An integer attribute that says yes or no."""
        return bool(self.integer(name, int(default)))

    def scalar(self, name: str, default: float) -> float:
        """A floating-point attribute."""
        value: float = self._attribute(name, AttributeProto.FLOAT, default)
        return value

    def text(self, name: str, default: str, among: Sequence[str] = ()) -> str:
        """A string attribute, which must be one of `among` where that is given."""
        raw: bytes = self._attribute(name, AttributeProto.STRING, default.encode())
        value = str(bytes(raw), "utf-8", "replace")
        if among and value not in among:
            raise self.unsupported(f"attribute {name} is {value!r}", f"use {' or '.join(map(repr, among))}")
        return value

    def ints(self, name: str) -> tuple[int, ...] | None:
        """A list of integers, or None where the attribute is absent."""
        value = self._attribute(name, AttributeProto.INTS, None)
        return None if value is None else tuple(value)

    def floats(self, name: str) -> tuple[float, ...] | None:
        """A list of floating-point numbers, or None where the attribute is absent."""
        value = self._attribute(name, AttributeProto.FLOATS, None)
        return None if value is None else tuple(value)

    def attribute(self, name: str) -> AttributeProto | None:
        """The attribute as it is in the file."""
        return next((attribute for attribute in self.proto.attribute if attribute.name == name), None)

    def only(self, name: str, default: int, supported: int) -> None:
        """Refuses an integer attribute with any but the one supported value."""
        found = self.integer(name, default)
        if found != supported:
            raise self.unsupported(f"attribute {name} is {found}", f"only {supported} is supported")

    # Results

    @property
    def name(self) -> str:
        """What nodes made here are named after."""
        return self.proto.name or self.output_name

    @property
    def output_name(self) -> str:
        """The first output's name in the file."""
        return next(filter(None, self.proto.output), "unnamed")

    @property
    def where(self) -> str:
        """How messages name the node."""
        return f"{self.caller} (its {self.proto.op_type})" if self.caller else describe(self.proto)

    def makes(self, index: int) -> bool:
        """Whether the node's optional output is asked for."""
        return index < len(self.proto.output) and bool(self.proto.output[index])

    def add(self, op: Op, *operands: Value, role: str = "", type: TensorType | None = None) -> Value:
        """Adds a node to the graph. `role` names those beside the operator's own ("to_nhwc", …)."""
        suffix = f".{role}" if role else ""
        value = self.builder.add(
            op, operands, node=self.name + suffix, value=f"{self.output_name}.{role or op.mnemonic}", type=type
        )
        check_size(value.type, self.where)
        return value

    def scalar_constant(self, role: str, number: float) -> Value:
        """A number that the translation brings along, of the first operand's floating-point type."""
        dtype = self.type(0).dtype.numpy if self.type(0).dtype.is_float else np.dtype(np.float32)
        return self.builder.constant(f"{self.output_name}.{role}", np.array(number, dtype))

    def reserve(self, name: str) -> str:
        """A name that nothing has, for a tensor made in place of the node."""
        return self.builder.reserve(f"{self.output_name}.{name}")

    def moved(self, op: Transpose | Reshape, operand: Value, role: str) -> Value:
        """As `add`, but constants are moved now."""
        return self.builder.moved(op, operand, node=f"{self.name}.{role}", role=role)

    # Refusals

    def invalid(self, reason: str, remedy: str = "export the model again") -> InvalidModel:
        """The refusal of a node that contradicts ONNX or itself."""
        return InvalidModel(where=self.where, reason=reason, remedy=remedy)

    def unsupported(self, reason: str, remedy: str) -> UnsupportedModel:
        """The refusal of a node that is well formed but not supported."""
        return UnsupportedModel(where=self.where, reason=reason, remedy=remedy)

    def axis(self, axis: int, rank: int) -> int:
        """An axis counted from the front, where ONNX also counts from the back."""
        if not -rank <= axis < rank:
            raise self.invalid(f"axis {axis} does not exist in a tensor of rank {rank}")
        return axis % rank

    def _input(self, index: int) -> str:
        if not self.has(index):
            raise self.invalid(f"operand {index} is missing")
        name: str = self.proto.input[index]
        return name

    def _attribute(self, name: str, kind: AttributeProto.AttributeType, default: Any) -> Any:
        attribute = self.attribute(name)
        if attribute is None:
            return default
        if attribute.type != kind or attribute.ref_attr_name:
            raise self.invalid(f"attribute {name} has another type than ONNX gives it")
        return getattr(attribute, _KINDS[kind])


Results = tuple[Value | Array, ...]
"""What an importer returns: one value for each output that it makes, or the elements where these are known."""

Importer = Callable[[NodeSite], Results]
Importers = Mapping[str, Importer]
