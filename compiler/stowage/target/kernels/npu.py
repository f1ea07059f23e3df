# SPDX-License-Identifier: Apache-2.0
"""A part of a model on the board's NPU: npu.h."""

from __future__ import annotations

from collections.abc import Sequence

from stowage.ir.graph import Array, Value
from stowage.target.kernels.kernel import Argument, KernelCall, KernelConstant, Overlap, Place

NPU_HEADER = "stowage/kernels/npu.h"

MOST_INPUTS, MOST_OUTPUTS = 4, 2
"""What there is a stw_npu_<inputs>_<outputs> for."""


def npu_call(
    commands: Array, data: Array, inputs: Sequence[Value], outputs: Sequence[Value], overlaps: tuple[Overlap, ...]
) -> KernelCall:
    """The call that runs a command stream.

    Args:
        commands: the stream, uint32.
        data: what its window 0 holds, uint8.
        inputs: the windows from 1 on.
        outputs: the windows after those.
        overlaps: how far the stream lets the first output lie over inputs.
    """
    return KernelCall(
        header=NPU_HEADER,
        function=f"stw_npu_{len(inputs)}_{len(outputs)}",
        parameters=(
            ("npu.stream_words", len(commands)),
            ("npu.data_bytes", len(data)),
            ("npu.input_bytes", tuple(value.type.size_bytes for value in inputs)),
            ("npu.output_bytes", tuple(value.type.size_bytes for value in outputs)),
        ),
        arguments=(
            Argument(Place.CONSTANT, 0, "uint32_t"),
            Argument(Place.CONSTANT, 1, "uint8_t"),
            *(Argument(Place.INPUT, index, "int8_t") for index in range(len(inputs))),
            *(Argument(Place.OUTPUT, index, "int8_t") for index in range(len(outputs))),
        ),
        constants=(KernelConstant("commands", commands), KernelConstant("data", data)),
        overlaps=overlaps,
    )
