# SPDX-License-Identifier: Apache-2.0
"""Sigmoid and Tanh of 16-bit tensors in TFLite's arithmetic: sigmoid_s16.h."""

from __future__ import annotations

import numpy as np

from stowage.ir.graph import Arithmetic, Node
from stowage.ir.ops.elementwise import Sigmoid
from stowage.ir.tflite.sigmoid_words import RESULT, logistic_argument, sigmoid_table, tanh_argument
from stowage.target.kernels.call_parts import per_tensor, pointers
from stowage.target.kernels.kernel import KernelCall, KernelConstant, NoKernel, Overlap, Site

_LARGEST_MULTIPLIER = 2**15 - 1


def lower_sigmoid_words(node: Node, site: Site) -> KernelCall:
    """The call for a Sigmoid or Tanh of quantised 16-bit integers."""
    source = per_tensor(node.inputs[0])
    if site.arithmetic is not Arithmetic.TFLITE or source.zero_point or node.output.type.quant != RESULT:
        raise NoKernel(f"{node.op.mnemonic} of 16-bit integers, but from zero point 0 to steps of 2^-15 in TFLite")
    make = logistic_argument if isinstance(node.op, Sigmoid) else tanh_argument
    argument = make(source.scale)
    if argument.multiplier > _LARGEST_MULTIPLIER:
        raise NoKernel(f"{node.op.mnemonic} of integers of scale {source.scale:g}, which are too large")
    return KernelCall(
        header="stowage/kernels/sigmoid_s16.h",
        function=f"stw_{node.op.mnemonic}_words",
        parameters=(
            ("elements", node.output.type.elements),
            ("multiplier", argument.multiplier),
            ("half", argument.half),
            ("shift", argument.shift),
        ),
        arguments=pointers(("int16_t",), "int16_t", constants=("uint16_t",)),
        constants=(KernelConstant("table", sigmoid_table().astype(np.uint16)),),
        overlaps=(Overlap(0, 0),),
    )
