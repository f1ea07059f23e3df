# SPDX-License-Identifier: Apache-2.0
"""QLinearConv and QLinearMatMul: products of integers that carry their scales as operands."""

from __future__ import annotations

from stowage.frontend.from_onnx.image import from_nhwc, to_nhwc, to_ohwi
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.frontend.from_onnx.operators.convolution import convolution
from stowage.frontend.from_onnx.operators.integer_product import integer_convolution, integer_matmul, of_rows
from stowage.frontend.from_onnx.quantisation import quant_operands
from stowage.frontend.from_onnx.runtime_quantisation import (
    Steps,
    dequantised,
    in_float32,
    is_known,
    quantised,
    steps_of,
)
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Add, Mul
from stowage.ir.ops.linear import MatMul
from stowage.ir.ops.movement import Reshape
from stowage.ir.ops.op import Op
from stowage.ir.tensor_type import Quant, TensorType

_CONV_PARAMETERS = (1, 2, 3, 4, 5, 6, 7, 8)
_MATMUL_PARAMETERS = (1, 2, 4, 5, 6, 7)


def _qlinear_conv(site: NodeSite) -> Results:
    if not is_known(site, *_CONV_PARAMETERS):
        return (from_nhwc(site, _conv_at_run_time(site), len(site.type(0).shape)),)
    op = convolution(site, 0, 3)
    data, weights = _tensor(site, 0), _tensor(site, 3, axis=0)
    image = to_nhwc(site, data)
    kernels = to_ohwi(site, weights)
    bias = [site.quantised_operand(8, _bias_quant(data, weights))] if site.has(8) else []
    result = _quantised_result(site, op, (image, kernels, *bias))
    return (from_nhwc(site, result, len(site.type(0).shape)),)


def _conv_at_run_time(site: NodeSite) -> Value:
    """Scales of the weights and the bias are one an output channel, which is the last axis here."""
    sums = integer_convolution(site, (0, 2), (3, 5))
    if site.has(8):
        sums = site.add(Add(), sums, site.number(8), role="biased")
    return _quantised_sums(site, sums, site.real(1), site.real(4))


def _quantised_sums(site: NodeSite, sums: Value, first: Value, second: Value) -> Value:
    """Sums that count in steps of the product of two scales, quantised as the operands 6 and 7 say."""
    scale = site.add(Mul(), in_float32(site, _lone(site, first)), in_float32(site, second), role="scale")
    steps = steps_of(site, 6, 7, sums.type.shape, 0)
    return quantised(site, dequantised(site, sums, Steps(scale, None)), steps, site.type(7).dtype)


def _lone(site: NodeSite, value: Value) -> Value:
    """A list of one number as that."""
    return site.moved(Reshape(()), value, "scalar") if value.type.shape == (1,) else value


def _qlinear_matmul(site: NodeSite) -> Results:
    """The second operand may have one scale a column."""
    if not is_known(site, *_MATMUL_PARAMETERS) or site.type(1).elements > 1 or site.type(1).dtype is not DType.F32:
        sums = integer_matmul(site, (0, 2), (3, 5))
        return (_quantised_sums(site, sums, of_rows(site, site.real(1)), site.real(4)),)
    return (_quantised_result(site, MatMul(), (_tensor(site, 0), _tensor(site, 3, axis=-1))),)


def _tensor(site: NodeSite, index: int, axis: int = 0) -> Value:
    """The operand `index`, whose scale and zero point are the two after it."""
    type = site.type(index)
    quant = quant_operands(site, index + 1, index + 2, type.dtype, type.shape, axis)
    return site.quantised_operand(index, quant)


def _bias_quant(data: Value, weights: Value) -> Quant:
    """The bias counts in steps of the product of the scales."""
    if data.type.quant is None or weights.type.quant is None:
        raise AssertionError("both are quantised operands")
    scales = tuple(data.type.quant.scale * scale for scale in weights.type.quant.scales)
    return Quant(scales, (0,) * len(scales), None if len(scales) == 1 else 0)


def _quantised_result(site: NodeSite, op: Op, operands: tuple[Value, ...]) -> Value:
    """The result, which the operands 6 and 7 quantise."""
    (type,) = op.result_types(tuple(operand.type for operand in operands))
    dtype = site.type(7).dtype
    if dtype is not type.dtype:
        raise site.unsupported(f"it turns {type.dtype.value} into {dtype.value}", "use one type for both")
    if site.type(6).elements > 1:
        raise site.unsupported("the output has more than one scale", "quantise it per tensor")
    quant = quant_operands(site, 6, 7, dtype, type.shape, 0)
    return site.add(op, *operands, type=TensorType(type.shape, dtype, quant))


IMPORTERS: Importers = {"QLinearConv": _qlinear_conv, "QLinearMatMul": _qlinear_matmul}
