# SPDX-License-Identifier: Apache-2.0
"""What the translation of one TFLite operator sees: its operands, its options, its declared results."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NoReturn

from stowage.errors import InvalidModel, UnsupportedModel
from stowage.frontend.from_tflite.known_elements import known_elements
from stowage.frontend.from_tflite.model_records import ABSENT, OperatorRecord, Option
from stowage.frontend.from_tflite.tensors import Tensors
from stowage.frontend.graph_builder import GraphBuilder
from stowage.ir.graph import Array, Value
from stowage.ir.ops.movement import Reshape, Transpose
from stowage.ir.ops.op import Op
from stowage.ir.tensor_type import TensorType


@dataclass(frozen=True, slots=True)
class OperatorSite:
    """One operator in its subgraph.

    Attributes:
        record: the operator.
        name: what its nodes are named after.
        tensors: the tensors of its subgraph.
        builder: the graph in the making.
    """

    record: OperatorRecord
    name: str
    tensors: Tensors
    builder: GraphBuilder

    @property
    def where(self) -> str:
        """How messages name the operator."""
        return f"{self.record.kind} {self.name!r}"

    @property
    def input_count(self) -> int:
        """Operands, absent ones among them."""
        return len(self.record.inputs)

    def has(self, index: int) -> bool:
        """Whether an operand is given."""
        return index < len(self.record.inputs) and self.record.inputs[index] != ABSENT

    def input(self, index: int) -> Value:
        """An operand.

        Raises:
            InvalidModel: it is not given, or no operator has made it yet.
        """
        if not self.has(index):
            raise InvalidModel(where=self.where, reason=f"operand {index} is missing", remedy="convert the model again")
        return self.tensors.value(self.record.inputs[index], self.where)

    def inputs(self) -> tuple[Value, ...]:
        """All operands, none of which may be absent."""
        return tuple(self.input(index) for index in range(self.input_count))

    def constant(self, index: int, what: str) -> Array:
        """The elements of an operand that has to be known at build time; `what` names it in the refusal."""
        array = known_elements(self.builder, self.input(index))
        if array is None:
            self.refuse(f"its {what} is computed at run time", f"make the {what} a constant")
        return array

    def integers(self, index: int, what: str) -> tuple[int, ...]:
        """The same as whole numbers: axes, shapes and their like."""
        return tuple(int(number) for number in self.constant(index, what).ravel())

    def option(self, name: str, default: Option = 0) -> int:
        """A whole number among the options, by the schema's name."""
        value = self.record.options.get(name, default)
        assert isinstance(value, int)
        return value

    def text_option(self, name: str) -> str:
        """A text among the options."""
        value = self.record.options.get(name, "")
        assert isinstance(value, str)
        return value

    def real_option(self, name: str, default: float = 0.0) -> float:
        """A real number among the options."""
        value = self.record.options.get(name, default)
        assert isinstance(value, int | float)
        return float(value)

    def declared(self, index: int = 0) -> TensorType:
        """The type that the file gives a result."""
        if index >= len(self.record.outputs) or self.record.outputs[index] == ABSENT:
            raise InvalidModel(where=self.where, reason=f"result {index} is missing", remedy="convert the model again")
        return self.tensors.type(self.record.outputs[index])

    def declared_shape(self, index: int = 0) -> tuple[int, ...]:
        """The shape that the file gives a result, with -1 for extents that it leaves open."""
        self.declared(index)
        return self.tensors.wanted_shape(self.record.outputs[index])

    def add(self, op: Op, operands: Sequence[Value], role: str = "") -> Value:
        """A node without quantised results, or that only moves elements. `role` is put behind the result's name."""
        return self.builder.add(op, operands, node=self.name, value=self._result_name(role))

    def add_as(self, op: Op, operands: Sequence[Value], like: TensorType, role: str = "") -> Value:
        """A node of which the element type and quantisation of the result are those of `like`."""
        (made,) = op.result_types(tuple(operand.type for operand in operands))
        type_ = replace(made, dtype=like.dtype, quant=like.quant)
        return self.builder.add(op, operands, node=self.name, value=self._result_name(role), type=type_)

    def add_all(self, op: Op, operands: Sequence[Value], roles: Sequence[str]) -> tuple[Value, ...]:
        """A node with several results, one for each role."""
        values = [self._result_name(role) for role in roles]
        return self.builder.add_all(op, operands, node=self.name, values=values)

    def moved(self, op: Transpose | Reshape, operand: Value, role: str) -> Value:
        """An operand with its elements moved, at build time if it is constant."""
        return self.builder.moved(op, operand, node=self.name, role=role)

    def known(self, array: Array, role: str, like: TensorType | None = None) -> Value:
        """A constant of this operator's own, quantised as `like`."""
        return self.builder.constant(self._result_name(role), array, None if like is None else like.quant)

    def _result_name(self, role: str) -> str:
        name = self.tensors.name(self.record.outputs[0]) if self.record.outputs else self.name
        return f"{name}.{role}" if role else name

    def refuse(self, reason: str, remedy: str) -> NoReturn:
        """Refuses a well-formed operator."""
        raise UnsupportedModel(where=self.where, reason=reason, remedy=remedy)

    def invalid(self, reason: str) -> NoReturn:
        """Refuses an operator that contradicts itself."""
        raise InvalidModel(where=self.where, reason=reason, remedy="convert the model again")
