# SPDX-License-Identifier: Apache-2.0
"""How many bytes a step reads and writes through each of its pointers, counted as often as its kernel touches them.

What a step with products (convolutions, matrix products, recurrent layers) multiplies is read once a product: each
product takes an element of either operand. Blocks of rows or channels at once divide both alike, so that they change
nothing between regions. What is added or scaled channel by channel (biases, multipliers, shifts) is read once an
element of the output. All else is read and written once. Scratch is written once, and read as often as what it stands
for: once a product where there are any.
"""

from __future__ import annotations

from stowage.ir.ops.beside import Beside
from stowage.memory.regions import Traffic
from stowage.quantise.work import macs
from stowage.schedule.schedule import Step
from stowage.target.kernels.kernel import Argument, Place

_MULTIPLIED = frozenset({"weights", "recurrence"})


def traffic_of(step: Step, argument: Argument) -> Traffic:
    """What a step does with the bytes under one of its pointers."""
    products = macs(step.node)
    match argument.place:
        case Place.OUTPUT:
            return Traffic(0, step.node.outputs[argument.index].type.size_bytes)
        case Place.SCRATCH:
            size_bytes = step.call.scratch_bytes[argument.index]
            return Traffic(max(size_bytes, products), size_bytes)
        case Place.INPUT:
            value = step.node.inputs[argument.index].type
            if isinstance(step.node.op, Beside) and argument.index == len(step.node.inputs) - 1:
                return Traffic(value.size_bytes, 0)
            return Traffic(max(value.size_bytes, products * value.dtype.size_bytes), 0)
        case Place.CONSTANT:
            constant = step.call.constants[argument.index]
            times = products if constant.role in _MULTIPLIED else step.node.outputs[0].type.elements
            often = times * constant.array.itemsize if products else 0
            return Traffic(max(int(constant.array.nbytes), often), 0)
