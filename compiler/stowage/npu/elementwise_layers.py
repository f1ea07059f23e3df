# SPDX-License-Identifier: Apache-2.0
"""Sums and tables as an NPU's, which sees their operands as rows of one byte."""

from __future__ import annotations

from stowage.ir.graph import Node
from stowage.npu.call_fields import bounds_of, bytes_of, constant_of, fields_of
from stowage.npu.layer import Kind, Layer, Window, fixed, without_parameters
from stowage.npu.words import output_word, sum_words
from stowage.target.kernels.kernel import KernelCall, Site


def sum_layer(node: Node, call: KernelCall, site: Site) -> Layer | None:
    """A sum of two tensors of one shape."""
    a, b, made = (*node.inputs, node.output)
    if not a.type.shape == b.type.shape == made.type.shape or a.name == b.name:
        return None
    fields, elements = fields_of(call), made.type.elements
    twice = "a_right" in fields
    return Layer(
        name=node.name,
        kind=Kind.ADD,
        inputs=(bytes_of(a.name, elements), bytes_of(b.name, elements)),
        output=bytes_of(made.name, elements),
        window=Window(),
        channel_bytes=0,
        parameters=without_parameters,
        output_word=output_word(0, *bounds_of(fields, "")),
        rounding=int(twice),
        sum_words=sum_words({name: value for name, value in fields.items() if isinstance(value, int)}),
    )


def table_layer(node: Node, call: KernelCall, site: Site) -> Layer | None:
    """Any function of one int8 tensor."""
    table, elements = constant_of(call, "table"), node.output.type.elements
    if node.inputs[0].type.dtype.size_bytes != 1 or table.size != 256:
        return None
    source, made = bytes_of(node.inputs[0].name, elements), bytes_of(node.output.name, elements)
    return Layer(node.name, Kind.REQUANTISE, (source,), made, Window(), 0, fixed(table.tobytes()), 0, 0)
