# SPDX-License-Identifier: Apache-2.0
"""Float models with QuantizeLinear and DequantizeLinear at random places, as no tool would put them.

Operators then have some operands quantised and others not, results that stay real, several quantisations of one tensor,
and weights in integers under one scale or one a channel.
"""

from __future__ import annotations

import random

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, NodeProto, helper, numpy_helper

from stowage.ir.graph import Array
from tests.differential.judgement import every_value
from tests.differential.random_model import RandomModel

OLDEST_OPSET = 10
_PER_CHANNEL_SINCE = 13
_SHARE = 0.5


def sprinkled(model: RandomModel, seed: int) -> RandomModel | None:
    """The model with pairs at half of all float operands; None where the operator set has none."""
    if model.proto.opset_import[0].version < OLDEST_OPSET:
        return None
    return RandomModel(_Sprinkling(model, random.Random(seed)).model(), model.inputs)


class _Sprinkling:
    """The new nodes and constants."""

    def __init__(self, source: RandomModel, choices: random.Random) -> None:
        self._source = source.proto
        self._random = choices
        self._values = every_value(source.proto, source.inputs)
        self._constants = {each.name: numpy_helper.to_array(each) for each in source.proto.graph.initializer}
        self._nodes: list[NodeProto] = []
        self._made: dict[str, Array] = {}
        self._pairs: dict[str, str] = {}
        self._count = 0

    def model(self) -> ModelProto:
        """The model with the pairs."""
        for node in self._source.graph.node:
            self._nodes.append(self._sprinkled(node))
        result = ModelProto()
        result.CopyFrom(self._source)
        del result.graph.node[:]
        result.graph.node.extend(self._nodes)
        result.graph.initializer.extend(numpy_helper.from_array(array, name) for name, array in self._made.items())
        return result

    def _sprinkled(self, node: NodeProto) -> NodeProto:
        changed = NodeProto()
        changed.CopyFrom(node)
        for index, name in enumerate(node.input):
            if self._is_real(name) and not _must_be_known(node, index) and self._random.random() < _SHARE:
                changed.input[index] = self._paired(name, node.op_type)
        return changed

    def _is_real(self, name: str) -> bool:
        array = self._constants.get(name, self._values.get(name))
        return array is not None and array.dtype == np.float32 and array.size > 0

    def _paired(self, name: str, op_type: str) -> str:
        """The tensor behind a pair: one that is there already, or a new one."""
        if name not in self._pairs or self._random.random() < 0.4:
            self._pairs[name] = self._new_pair(name, op_type)
        return self._pairs[name]

    def _new_pair(self, name: str, op_type: str) -> str:
        self._count += 1
        quantised, real = f"sprinkled.{self._count}.q", f"sprinkled.{self._count}"
        if name in self._constants:
            return self._integer_constant(name, quantised, real, op_type)
        value = self._values[name]
        kind = self._random.choice((np.int8, np.int8, np.uint8))
        symmetric = kind is np.int8 and self._random.random() < 0.5
        scale, zero = _quantisation(np.asarray(value, np.float32), kind, symmetric)
        operands = self._stored(np.array(scale, np.float32), np.array(zero, kind))
        self._nodes.append(helper.make_node("QuantizeLinear", [name, *operands], [quantised]))
        self._nodes.append(helper.make_node("DequantizeLinear", [quantised, *operands], [real]))
        return real

    def _integer_constant(self, name: str, quantised: str, real: str, op_type: str) -> str:
        array = np.asarray(self._constants[name], np.float32)
        per_channel = (
            op_type == "Conv" and array.ndim > 1 and self._source.opset_import[0].version >= _PER_CHANNEL_SINCE
        )
        axes = tuple(range(1, array.ndim)) if per_channel and self._random.random() < 0.6 else None
        scales = np.maximum(np.abs(array).max(axis=axes) / 127, 1e-6).astype(np.float32)
        along = scales.reshape(-1, *(1,) * (array.ndim - 1)) if axes else scales
        self._made[quantised] = np.clip(np.rint(array / along), -127, 127).astype(np.int8)
        operands = self._stored(scales, np.zeros(scales.shape, np.int8))
        attributes = {"axis": 0} if axes else {}
        node = helper.make_node("DequantizeLinear", [quantised, *operands], [real])
        node.attribute.extend(helper.make_attribute(key, value) for key, value in attributes.items())
        self._nodes.append(node)
        return real

    def _stored(self, *arrays: Array) -> list[str]:
        names = [f"sprinkled.{self._count}.{place}" for place in range(len(arrays))]
        self._made.update(zip(names, arrays, strict=True))
        return names


def _must_be_known(node: NodeProto, index: int) -> bool:
    """Whether an operand is no data but a part of the operator, which has to be constant."""
    return index > 0 and node.op_type in ("Clip", "Pad", "Resize", "Upsample", "BatchNormalization", "Dropout")


def _quantisation(value: NDArray[np.float32], kind: type[np.integer], symmetric: bool) -> tuple[float, int]:
    """Scale and zero point for what the tensor holds."""
    if symmetric:
        return max(float(np.abs(value).max()) / 127, 1e-6), 0
    low, high = min(0.0, float(value.min())), max(0.0, float(value.max()))
    scale = float(np.float32(max((high - low) / 255, 1e-6)))
    least = int(np.iinfo(kind).min)
    return scale, int(np.clip(round(least - low / scale), least, least + 255))
