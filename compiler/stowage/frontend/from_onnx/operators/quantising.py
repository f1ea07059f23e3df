# SPDX-License-Identifier: Apache-2.0
"""QuantizeLinear and DequantizeLinear: where the quantisation enters tensor types."""

from __future__ import annotations

import numpy as np

from stowage.frontend.from_onnx.element_types import dtype_of
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.frontend.from_onnx.quantisation import positive, quant_operands
from stowage.frontend.from_onnx.runtime_quantisation import Steps, as_type, dequantised, is_known, quantised, steps_of
from stowage.ir.dtype import DType
from stowage.ir.graph import Array
from stowage.ir.ops.elementwise import Dequantize, Quantize
from stowage.ir.tensor_type import Quant


def _quantize(site: NodeSite) -> Results:
    """The integers' type is the zero point's, else the attribute output_dtype's, else uint8."""
    dtype = site.type(2).dtype if site.has(2) else DType.U8
    if not site.has(2) and site.integer("output_dtype", 0):
        dtype = dtype_of(site.integer("output_dtype", 0), site.where)
    if _is_arithmetic(site):
        return (quantised(site, site.number(0), _steps(site), dtype),)
    quant = quant_operands(site, 1, 2, dtype, site.type(0).shape, site.integer("axis", 1))
    value = site.weights(0)
    array = site.tensors.known(site.proto.input[0])
    if array is not None:
        return (site.builder.constant(site.output_name, _integers(array, dtype, quant), quant),)
    return (site.add(Quantize(dtype, quant), value),)


def _integers(array: Array, dtype: DType, quant: Quant) -> Array:
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


def _is_arithmetic(site: NodeSite) -> bool:
    """Whether no tensor's type can carry the quantisation."""
    return not is_known(site, 1, 2) or site.integer("block_size", 0) > 0 or site.type(1).dtype is not DType.F32


def _steps(site: NodeSite) -> Steps:
    return steps_of(site, 1, 2, site.type(0).shape, site.integer("axis", 1), site.integer("block_size", 0))


def _dequantize(site: NodeSite) -> Results:
    """The result has the scale's type, if the attribute output_dtype does not say another one."""
    type = site.type(0)
    asked = site.integer("output_dtype", 0)
    dtype = dtype_of(asked, site.where) if asked else site.type(1).dtype
    if _is_arithmetic(site) or dtype is not DType.F32:
        return (as_type(site, dequantised(site, site.number(0), _steps(site)), dtype),)
    array = site.tensors.known(site.proto.input[0])
    constant = array is not None
    quant = quant_operands(site, 1, 2, type.dtype, type.shape, site.integer("axis", 1), may_be_negative=constant)
    if array is not None and min(quant.scales) < 0:
        array, quant = positive(site, array, quant)
        return (site.add(Dequantize(), site.builder.constant(f"{site.proto.input[0]}.mirrored", array, quant)),)
    operand = site.quantised_operand(0, quant)
    stored = site.builder.elements(operand)
    if stored is not None and stored.size == 1:
        site.tensors.bind_reals(site.output_name, _real(stored, quant))
    return (site.add(Dequantize(), operand),)


def _real(array: Array, quant: Quant) -> Array:
    """What one integer stands for: a bound or a fill value that a tool has quantised as well."""
    integer = array.astype(np.int64) - quant.zero_points[0]
    return integer.astype(np.float32) * np.float32(quant.scales[0])


IMPORTERS: Importers = {"QuantizeLinear": _quantize, "DequantizeLinear": _dequantize}
