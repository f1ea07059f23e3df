# SPDX-License-Identifier: Apache-2.0
"""What a kernel call of the processor says, as layers of an NPU are made of it: fields, constants, tensors, windows."""

from __future__ import annotations

import math
from collections.abc import Mapping

from stowage.ir.graph import Array
from stowage.npu.layer import Tensor, Window
from stowage.target.kernels.kernel import KernelCall, ParameterValue

Fields = Mapping[str, ParameterValue]


def fields_of(call: KernelCall) -> Fields:
    """The parameters of a call by name."""
    return dict(call.parameters)


def number_of(fields: Fields, name: str) -> int:
    """A parameter that is a number."""
    value = fields[name]
    assert isinstance(value, int)
    return value


def constant_of(call: KernelCall, role: str) -> Array:
    """What a call reads beside its operands, by its role."""
    return next(constant.array for constant in call.constants if constant.role == role)


def image_of(name: str, shape: tuple[int, ...]) -> Tensor:
    """A tensor of shape [1, rows, columns, channels]."""
    return Tensor(name, *shape[1:])


def matrix_of(name: str, shape: tuple[int, ...]) -> Tensor:
    """A tensor of any shape as pixels of its last axis."""
    return Tensor(name, math.prod(shape[:-1]), 1, shape[-1])


def bytes_of(name: str, elements: int) -> Tensor:
    """A tensor as rows of one element."""
    return Tensor(name, elements, 1, 1)


def window_of(fields: Fields) -> Window:
    """How the window of a call slides."""

    def pair(first: str, second: str) -> tuple[int, int]:
        return number_of(fields, f"window.{first}"), number_of(fields, f"window.{second}")

    return Window(
        kernel=pair("kernel_height", "kernel_width"),
        strides=pair("stride_height", "stride_width"),
        dilations=pair("dilation_height", "dilation_width"),
        pads=pair("pad_top", "pad_left"),
    )


def bounds_of(fields: Fields, prefix: str = "output.") -> tuple[int, int, int]:
    """Zero point, lowest and highest value of the output."""
    zero_point = fields.get(f"{prefix}zero_point", fields.get("output_zero_point"))
    assert isinstance(zero_point, int)
    return zero_point, number_of(fields, f"{prefix}lowest"), number_of(fields, f"{prefix}highest")


def pad_value_of(fields: Fields) -> int:
    """What an element outside of the image is."""
    value = fields.get("input_zero_point", 0)
    assert isinstance(value, int)
    return value
