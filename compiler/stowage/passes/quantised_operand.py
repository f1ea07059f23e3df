# SPDX-License-Identifier: Apache-2.0
"""How a real operator stands between a Quantize and its Dequantizes."""

from __future__ import annotations

from stowage.ir.graph import Node, Value
from stowage.ir.ops.elementwise import Dequantize, Quantize
from stowage.passes.editor import GraphEditor
from stowage.passes.lookup import per_tensor_8_bits


def quantised_alone(editor: GraphEditor, node: Node) -> Node | None:
    """The maker of the operand of a Quantize to 8 bits, if nothing else uses that operand."""
    if not isinstance(node.op, Quantize) or not per_tensor_8_bits(node.output.type):
        return None
    return editor.maker(node.inputs[0]) if editor.sole_user(node.inputs[0]) == node else None


def stored_integers(editor: GraphEditor, value: Value) -> Value | None:
    """The 8-bit tensor, with one scale, behind a Dequantize."""
    maker = editor.maker(value)
    if maker is None or not isinstance(maker.op, Dequantize) or not per_tensor_8_bits(maker.inputs[0].type):
        return None
    return maker.inputs[0]
