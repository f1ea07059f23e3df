# SPDX-License-Identifier: Apache-2.0
"""The tensors of a subgraph by index: their names, declared types, and the values that stand for them so far."""

from __future__ import annotations

from collections import Counter

from stowage.errors import InvalidModel
from stowage.frontend.from_tflite.model_records import ModelRecord, SubgraphRecord
from stowage.frontend.from_tflite.states import States
from stowage.frontend.from_tflite.tensor_types import elements, negative_channels, tensor_type
from stowage.frontend.graph_builder import GraphBuilder
from stowage.ir.graph import Value
from stowage.ir.tensor_type import TensorType


class Tensors:
    """What is known of a subgraph's tensors while it is being translated.

    Attributes:
        model: the file that the subgraph is of.
        states: what the model keeps from run to run.
        names: a name of its own for every tensor.
    """

    def __init__(self, model: ModelRecord, subgraph: SubgraphRecord, builder: GraphBuilder, states: States) -> None:
        """Args: builder: where constants go. states: where variable tensors go."""
        self.model = model
        self.states = states
        self._subgraph = subgraph
        self._builder = builder
        self._values: dict[int, Value] = {}
        self._resources: dict[int, str] = {}
        self.names = unique_names(subgraph)

    def name(self, index: int) -> str:
        """The tensor's name in the graph."""
        return self.names[index]

    def type(self, index: int) -> TensorType:
        """The type that the file declares."""
        return tensor_type(self._subgraph.tensors[index], f"tensor {self.names[index]!r}")

    def bind(self, index: int, value: Value) -> None:
        """Lets a value stand for the tensor.

        Raises:
            InvalidModel: the tensor has a value already: two operators make it, or it is a constant.
        """
        if index in self._values or self._data_bytes(index):
            reason = "it is made twice, or is a constant that is written to"
            where = f"tensor {self.names[index]!r}"
            raise InvalidModel(where=where, reason=reason, remedy="convert the model again")
        self._values[index] = value

    def value(self, index: int, user: str) -> Value:
        """The value that stands for a tensor; a constant is made on first use.

        Raises:
            InvalidModel: nothing has made the tensor yet, or its buffer does not suit it.
        """
        if self._is_variable(index):
            return self.states.read(f"tensor {index}", self.type(index), f"{self.names[index]}_state")
        if index not in self._values:
            self._values[index] = self._constant(index, user)
        return self._values[index]

    def keep(self, index: int, value: Value) -> None:
        """Lets a variable tensor hold a value until the next run."""
        self.states.write(f"tensor {index}", value)

    def name_resource(self, index: int, name: str) -> None:
        """Says which variable a resource tensor stands for."""
        self._resources[index] = name

    def resource(self, index: int) -> str | None:
        """The variable that a resource tensor stands for, if it is one."""
        return self._resources.get(index)

    def has_shape(self, index: int) -> bool:
        """Whether the file gives the tensor a shape."""
        return self._subgraph.tensors[index].has_shape

    def wanted_shape(self, index: int) -> tuple[int, ...]:
        """The shape that the file declares, with -1 for extents that it leaves open."""
        record = self._subgraph.tensors[index]
        return tuple(-1 if axis in record.open_axes else extent for axis, extent in enumerate(record.shape))

    def negative_channels(self, index: int) -> tuple[int, ...]:
        """Output channels of constant weights whose integers were negated, since their scale is negative."""
        return negative_channels(self._subgraph.tensors[index])

    def _is_variable(self, index: int) -> bool:
        return self._subgraph.tensors[index].is_variable and index not in self._values

    def _data_bytes(self, index: int) -> int:
        buffer = self._subgraph.tensors[index].buffer
        return self.model.buffers[buffer].nbytes if 0 < buffer < len(self.model.buffers) else 0

    def _constant(self, index: int, user: str) -> Value:
        record, where = self._subgraph.tensors[index], f"tensor {self.names[index]!r}"
        if record.buffer >= max(len(self.model.buffers), 1):
            raise InvalidModel(
                where=where, reason=f"there is no buffer {record.buffer}", remedy="convert the model again"
            )
        type_ = self.type(index)
        if not self._data_bytes(index) and type_.elements:
            raise InvalidModel(
                where=user, reason=f"{where} is used before anything makes it", remedy="convert the model again"
            )
        array = elements(self.model.buffers[record.buffer], record, type_, where)
        value = self._builder.constant(self.names[index], array, type_.quant)
        self._builder.rename(value, self.names[index])
        return value


def unique_names(subgraph: SubgraphRecord) -> tuple[str, ...]:
    """The file's names of the tensors, made unique by their index where several share one or have none."""
    counts = Counter(record.name for record in subgraph.tensors)
    taken = {name for name, count in counts.items() if count == 1 and name}
    names: list[str] = []
    for index, record in enumerate(subgraph.tensors):
        name = record.name
        if name not in taken or not name:
            name = f"{name}_{index}" if name else f"tensor_{index}"
            while name in taken:
                name += "_"
            taken.add(name)
        names.append(name)
    return tuple(names)
