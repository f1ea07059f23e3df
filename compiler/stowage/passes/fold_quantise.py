# SPDX-License-Identifier: Apache-2.0
"""Real operators between Dequantizes and a Quantize become operators on the integers.

Whatever cannot (an operator without an integer kernel, an output that stays real, an operand that was never
quantised) is left in float between its Dequantize and Quantize, which have kernels of their own. In TFLite's
arithmetic, which is kept to the bit, only moves are: what its file computes in floats is computed in floats.
"""

from __future__ import annotations

from stowage.ir.graph import Arithmetic, Graph
from stowage.passes.graph_pass import Pass
from stowage.passes.quantise_arithmetic import fold_arithmetic, fold_function, fold_linear_resize
from stowage.passes.quantise_moves import (
    change_of_quantisation,
    dequantize_later,
    largest_of_integers,
    quantize_earlier,
)
from stowage.passes.quantise_products import fold_layer, fold_matmul
from stowage.passes.rewrite import Rule, rewrite

_RULES: tuple[Rule, ...] = (
    change_of_quantisation,
    fold_layer,
    fold_matmul,
    fold_arithmetic,
    fold_linear_resize,
    fold_function,
    largest_of_integers,
    dequantize_later,
    quantize_earlier,
)

_RULES_THAT_KEEP_BITS: tuple[Rule, ...] = (
    change_of_quantisation,
    largest_of_integers,
    dequantize_later,
    quantize_earlier,
)


def _fold(graph: Graph) -> Graph:
    return rewrite(graph, *(_RULES if graph.arithmetic is Arithmetic.ONNX else _RULES_THAT_KEEP_BITS))


FOLD_QUANTISE = Pass("fold_quantise", _fold)
