# SPDX-License-Identifier: Apache-2.0
"""Which lowering makes the kernel call of which operator."""

from __future__ import annotations

from collections.abc import Mapping

from stowage.ir.graph import Node
from stowage.ir.ops import angle, bits, combination, function, selection, truth
from stowage.ir.ops.elementwise import (
    Add,
    Cast,
    Clip,
    Dequantize,
    Div,
    HardSigmoid,
    HardSwish,
    LeakyRelu,
    Mul,
    Quantize,
    Relu,
    Sigmoid,
    Sub,
    Table,
    Tanh,
)
from stowage.ir.ops.fed_rows import FeedRows
from stowage.ir.ops.linear import Det, FullyConnected, MatMul
from stowage.ir.ops.movement import Concat, Pad, Reshape, Resize, Slice, Transpose
from stowage.ir.ops.op import Op
from stowage.ir.ops.pool_rows import PoolMean, PoolSum
from stowage.ir.ops.recurrent import Gru, Lstm, Rnn
from stowage.ir.ops.reduction import ArgMax, CumProd, CumSum, Normalize, ReduceMean, Reduction, Softmax
from stowage.ir.ops.resample import Resample
from stowage.ir.ops.residual import Conv2dAdd
from stowage.ir.ops.sampling import DeformConv2d, GridSample, RoiAlign
from stowage.ir.ops.sequence_lstm import SequenceLstm
from stowage.ir.ops.transposed import ConvTranspose2d, ConvTranspose3d
from stowage.ir.ops.unpooling import MaxPoolIndices, Unpool
from stowage.ir.ops.volume import Conv3d
from stowage.ir.ops.window import AveragePool2d, Conv2d, DepthwiseConv2d, MaxPool2d
from stowage.ir.requantise import MultiplierTooLarge
from stowage.target.kernels.activation import lower_activation
from stowage.target.kernels.arg_max import lower_arg_max
from stowage.target.kernels.binary import lower_binary
from stowage.target.kernels.cast import lower_cast
from stowage.target.kernels.combination import lower_combination, lower_where
from stowage.target.kernels.concat import lower_concat
from stowage.target.kernels.conv2d import lower_conv2d
from stowage.target.kernels.conv2d_add import lower_conv2d_add
from stowage.target.kernels.conv3d import lower_conv3d
from stowage.target.kernels.conv_transpose import lower_conv_transpose
from stowage.target.kernels.copy import lower_reshape
from stowage.target.kernels.depthwise_conv2d import lower_depthwise_conv2d
from stowage.target.kernels.det import lower_det
from stowage.target.kernels.feed_rows import lower_feed_rows
from stowage.target.kernels.fully_connected import lower_fully_connected
from stowage.target.kernels.function import lower_function, lower_truth
from stowage.target.kernels.gather import lower_slice, lower_transpose
from stowage.target.kernels.index import (
    lower_expand,
    lower_gather,
    lower_gather_elements,
    lower_gather_nd,
)
from stowage.target.kernels.kernel import KernelCall, Lowering, NoKernel, Site
from stowage.target.kernels.matmul import lower_matmul
from stowage.target.kernels.pad import lower_pad
from stowage.target.kernels.pool2d import lower_average_pool2d, lower_max_pool2d
from stowage.target.kernels.pool_rows import lower_pool_mean, lower_pool_sum
from stowage.target.kernels.quantise import lower_dequantize, lower_quantize
from stowage.target.kernels.recurrent import lower_recurrent
from stowage.target.kernels.reduce import lower_cumulation, lower_normalize, lower_reduction
from stowage.target.kernels.reduce_mean import lower_reduce_mean
from stowage.target.kernels.resample import lower_resample
from stowage.target.kernels.resize import lower_resize
from stowage.target.kernels.sampling import lower_deform_conv2d, lower_grid_sample, lower_roi_align
from stowage.target.kernels.scatter import lower_scatter_elements, lower_scatter_nd
from stowage.target.kernels.sequence_lstm import lower_sequence_lstm
from stowage.target.kernels.softmax import lower_softmax
from stowage.target.kernels.table import lower_table
from stowage.target.kernels.top_k import lower_top_k
from stowage.target.kernels.unpooling import lower_max_pool_indices, lower_unpool

_FUNCTIONS: tuple[type[Op], ...] = (
    function.Neg,
    function.Abs,
    function.Sign,
    function.Exp,
    function.Log,
    function.Sqrt,
    function.Reciprocal,
    function.Floor,
    function.Ceil,
    function.Round,
    function.Erf,
    function.Sin,
    function.Cos,
    function.Elu,
    function.Celu,
    function.Softplus,
    function.Softsign,
    function.ThresholdedRelu,
    function.Shrink,
    function.Gelu,
    function.GeluTanh,
    function.Mish,
    function.Swish,
    *angle.ANGLES,
)
_TRUTHS: tuple[type[Op], ...] = (truth.Not, truth.IsNan, truth.IsInf)
_COMBINATIONS: tuple[type[Op], ...] = (
    combination.Pow,
    combination.Min,
    combination.Max,
    combination.Mod,
    combination.PRelu,
    combination.Equal,
    combination.Less,
    combination.LessOrEqual,
    combination.And,
    combination.Or,
    combination.Xor,
    bits.ShiftLeft,
    bits.ShiftRight,
)

LOWERINGS: Mapping[type[Op], Lowering] = {
    Add: lower_binary,
    ArgMax: lower_arg_max,
    AveragePool2d: lower_average_pool2d,
    PoolSum: lower_pool_sum,
    PoolMean: lower_pool_mean,
    Cast: lower_cast,
    Clip: lower_activation,
    Concat: lower_concat,
    Conv2d: lower_conv2d,
    Conv2dAdd: lower_conv2d_add,
    CumProd: lower_cumulation,
    CumSum: lower_cumulation,
    DepthwiseConv2d: lower_depthwise_conv2d,
    Dequantize: lower_dequantize,
    Det: lower_det,
    Div: lower_binary,
    FeedRows: lower_feed_rows,
    FullyConnected: lower_fully_connected,
    HardSigmoid: lower_activation,
    HardSwish: lower_activation,
    LeakyRelu: lower_activation,
    MatMul: lower_matmul,
    MaxPool2d: lower_max_pool2d,
    Mul: lower_binary,
    Normalize: lower_normalize,
    Pad: lower_pad,
    Quantize: lower_quantize,
    ReduceMean: lower_reduce_mean,
    Relu: lower_activation,
    Reshape: lower_reshape,
    Resize: lower_resize,
    Sigmoid: lower_activation,
    Slice: lower_slice,
    Softmax: lower_softmax,
    Sub: lower_binary,
    Table: lower_table,
    Tanh: lower_activation,
    Transpose: lower_transpose,
    bits.BitCast: lower_reshape,
    combination.Where: lower_where,
    selection.Expand: lower_expand,
    selection.Gather: lower_gather,
    selection.GatherElements: lower_gather_elements,
    selection.GatherNd: lower_gather_nd,
    selection.ScatterElements: lower_scatter_elements,
    selection.ScatterNd: lower_scatter_nd,
    Conv3d: lower_conv3d,
    DeformConv2d: lower_deform_conv2d,
    GridSample: lower_grid_sample,
    Resample: lower_resample,
    MaxPoolIndices: lower_max_pool_indices,
    RoiAlign: lower_roi_align,
    Unpool: lower_unpool,
    ConvTranspose2d: lower_conv_transpose,
    ConvTranspose3d: lower_conv_transpose,
    selection.TopK: lower_top_k,
    SequenceLstm: lower_sequence_lstm,
    Lstm: lower_recurrent,
    Gru: lower_recurrent,
    Rnn: lower_recurrent,
    **dict.fromkeys(Reduction.__subclasses__(), lower_reduction),
    **dict.fromkeys(_FUNCTIONS, lower_function),
    **dict.fromkeys(_TRUTHS, lower_truth),
    **dict.fromkeys(_COMBINATIONS, lower_combination),
}


def lower(node: Node, site: Site) -> KernelCall:
    """The kernel call that computes a node.

    Raises:
        NoKernel: no kernel computes that operator, or not for such operands; the message is the reason.
    """
    lowering = LOWERINGS.get(type(node.op))
    if lowering is None:
        raise NoKernel(f"there is no kernel for {node.op.mnemonic}")
    try:
        return lowering(node, site)
    except MultiplierTooLarge as error:
        raise NoKernel(f"its scales are too far apart ({error})") from error
