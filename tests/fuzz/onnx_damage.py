# SPDX-License-Identifier: Apache-2.0
"""ONNX messages that parse and yet are wrong: cycles, names twice, huge extents, data elsewhere, claims of 2 GB."""

from __future__ import annotations

import random
from collections.abc import Callable

from onnx import AttributeProto, GraphProto, ModelProto, TensorProto

_NUMBERS = (0, 1, -1, 2, 3, 255, 65_536, 2**31 - 1, 2**31, 2**32, 2**40, 2**63 - 1, -(2**63))
_FOLDERS = ("../../../../etc/passwd", "/etc/passwd", "/dev/zero", "..", "", "data\0.bin", "weights.bin")

Alteration = Callable[[GraphProto, random.Random], None]


def altered(model: ModelProto, chance: random.Random) -> bytes:
    """The message's bytes after one to three alterations."""
    broken = ModelProto()
    broken.CopyFrom(model)
    for _ in range(chance.randint(1, 3)):
        chance.choice(_ALTERATIONS)(broken.graph, chance)
    if chance.random() < 0.1:
        broken.opset_import[0].version = chance.choice(_NUMBERS[:8])
    return bytes(broken.SerializeToString())


def _make_cycle(graph: GraphProto, chance: random.Random) -> None:
    node, other = chance.choice(graph.node), chance.choice(graph.node)
    if node.input:
        node.input[chance.randrange(len(node.input))] = chance.choice([*other.output, *node.output])


def _name_twice(graph: GraphProto, chance: random.Random) -> None:
    node = chance.choice(graph.node)
    names = [output for other in graph.node for output in other.output] + [value.name for value in graph.input]
    if node.output:
        node.output[chance.randrange(len(node.output))] = chance.choice([*names, ""])


def _lose_operand(graph: GraphProto, chance: random.Random) -> None:
    node = chance.choice(graph.node)
    if node.input:
        node.input[chance.randrange(len(node.input))] = chance.choice(["", "nowhere", node.input[-1]])


def _add_operand(graph: GraphProto, chance: random.Random) -> None:
    node = chance.choice(graph.node)
    node.input.append(chance.choice([*node.input, *node.output, ""]))


def _resize_constant(graph: GraphProto, chance: random.Random) -> None:
    if graph.initializer:
        dims = chance.choice(graph.initializer).dims
        if dims:
            dims[chance.randrange(len(dims))] = chance.choice(_NUMBERS)
        else:
            dims.append(chance.choice(_NUMBERS))


def _resize_input(graph: GraphProto, chance: random.Random) -> None:
    shape = chance.choice([*graph.input, *graph.output]).type.tensor_type.shape
    if shape.dim:
        chance.choice(shape.dim).dim_value = chance.choice(_NUMBERS)
    for _ in range(chance.choice((0, 0, 1, 9))):
        shape.dim.add().dim_value = chance.choice(_NUMBERS[1:5])


def _change_type(graph: GraphProto, chance: random.Random) -> None:
    code = chance.choice([*range(26), 10_000])
    if graph.initializer and chance.random() < 0.5:
        chance.choice(graph.initializer).data_type = code
    else:
        chance.choice([*graph.input, *graph.output]).type.tensor_type.elem_type = code


def _change_attribute(graph: GraphProto, chance: random.Random) -> None:
    node = chance.choice(graph.node)
    if not node.attribute:
        return
    attribute = chance.choice(node.attribute)
    match attribute.type:
        case AttributeProto.INTS if attribute.ints:
            attribute.ints[chance.randrange(len(attribute.ints))] = chance.choice(_NUMBERS)
        case AttributeProto.INT:
            attribute.i = chance.choice(_NUMBERS)
        case AttributeProto.FLOAT:
            attribute.f = chance.choice((0.0, -1.0, float("inf"), float("nan"), 1e38))
        case AttributeProto.STRING:
            attribute.s = chance.choice((b"", b"\xff\xfe", b"NOTSET", b"x" * 1000))
        case _:
            attribute.type = chance.choice((0, 1, 2, 3, 4, 5, 7))


def _lengthen_attribute(graph: GraphProto, chance: random.Random) -> None:
    node = chance.choice(graph.node)
    if node.attribute:
        chance.choice(node.attribute).ints.extend([chance.choice(_NUMBERS)] * chance.choice((1, 2, 300)))


def _change_operator(graph: GraphProto, chance: random.Random) -> None:
    node = chance.choice(graph.node)
    if chance.random() < 0.5:
        node.op_type = chance.choice([other.op_type for other in graph.node])
    else:
        node.op_type, node.domain = chance.choice((("Conv", "com.example"), ("Nothing", ""), ("", ""), ("Loop", "")))


def _put_elsewhere(graph: GraphProto, chance: random.Random) -> None:
    if not graph.initializer:
        return
    tensor = chance.choice(graph.initializer)
    tensor.ClearField("raw_data")
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in (
        ("location", chance.choice(_FOLDERS)),
        ("offset", str(chance.choice(_NUMBERS))),
        ("length", chance.choice((str(chance.choice(_NUMBERS)), "many", str(2**31)))),
    ):
        tensor.external_data.add(key=key, value=value)


def _change_data(graph: GraphProto, chance: random.Random) -> None:
    if graph.initializer:
        tensor = chance.choice(graph.initializer)
        tensor.raw_data = bytes(chance.choice((0, 255)) for _ in tensor.raw_data) + b"\0" * chance.choice((0, 0, 1, 4))


def _repeat_node(graph: GraphProto, chance: random.Random) -> None:
    graph.node.add().CopyFrom(chance.choice(graph.node))


_ALTERATIONS: tuple[Alteration, ...] = (
    _make_cycle,
    _name_twice,
    _lose_operand,
    _add_operand,
    _resize_constant,
    _resize_input,
    _change_type,
    _change_attribute,
    _change_attribute,
    _lengthen_attribute,
    _change_operator,
    _put_elsewhere,
    _change_data,
    _repeat_node,
)
