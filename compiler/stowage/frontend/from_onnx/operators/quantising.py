# SPDX-License-Identifier: Apache-2.0
"""QuantizeLinear and DequantizeLinear: where the quantisation enters tensor types."""

from __future__ import annotations

import numpy as np

from stowage.frontend.from_onnx.element_types import dtype_of
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.frontend.from_onnx.quantisation import positive, quant_operands
from stowage.ir.dtype import DType
from stowage.ir.graph import Array
from stowage.ir.ops.elementwise import Dequantize, Quantize
from stowage.ir.tensor_type import Quant


def _quantize(site: NodeSite) -> Results:
    """The integers' type is the zero point's, else the attribute output_dtype's, else uint8."""
    site.only("block_size", 0, 0)
    if site.integer("precision", 0) not in (0, 1):
        raise site.unsupported("attribute precision is not float32", "divide in float32")
    dtype = site.type(2).dtype if site.has(2) else DType.U8
    if not site.has(2) and site.integer("output_dtype", 0):
        dtype = dtype_of(site.integer("output_dtype", 0), site.where)
    quant = quant_operands(site, 1, 2, dtype, site.type(0).shape, site.integer("axis", 1))
    value = site.weights(0)
    array = site.tensors.known(site.proto.input[0])
    if array is not None:
        return (site.builder.constant(site.output_name, _quantised(array, dtype, quant), quant),)
    return (site.add(Quantize(dtype, quant), value),)


def _quantised(array: Array, dtype: DType, quant: Quant) -> Array:
    """A constant's integers: rounded half to even, saturated."""
    along = [1] * array.ndim
    if quant.axis is not None:
        along[quant.axis] = -1
    scales = np.array(quant.scales, np.float32).reshape(along)
    zeros = np.array(quant.zero_points, np.int64).reshape(along)
    limits = np.iinfo(dtype.numpy.name)
    steps = np.rint(array.astype(np.float32) / scales).astype(np.float64)
    integers: Array = np.clip(steps + zeros, limits.min, limits.max).astype(dtype.numpy)
    return integers.reshape(array.shape)


def _dequantize(site: NodeSite) -> Results:
    site.only("block_size", 0, 0)
    type = site.type(0)
    if site.integer("output_dtype", 0) not in (0, 1):
        raise site.unsupported("attribute output_dtype is not float32", "dequantise to float32")
    array = site.tensors.known(site.proto.input[0])
    constant = array is not None
    quant = quant_operands(site, 1, 2, type.dtype, type.shape, site.integer("axis", 1), may_be_negative=constant)
    if array is not None and min(quant.scales) < 0:
        array, quant = positive(site, array, quant)
        return (site.add(Dequantize(), site.builder.constant(f"{site.proto.input[0]}.mirrored", array, quant)),)
    operand = site.quantised_operand(0, quant)
    stored = site.builder.elements(operand)
    if stored is not None and stored.size == 1:
        site.tensors.bind_reals(site.output_name, _dequantised(stored, quant))
    return (site.add(Dequantize(), operand),)


def _dequantised(array: Array, quant: Quant) -> Array:
    """What one integer stands for: a bound or a fill value that a tool has quantised as well."""
    integer = array.astype(np.int64) - quant.zero_points[0]
    return integer.astype(np.float32) * np.float32(quant.scales[0])


IMPORTERS: Importers = {"QuantizeLinear": _quantize, "DequantizeLinear": _dequantize}
