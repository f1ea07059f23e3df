# SPDX-License-Identifier: Apache-2.0
"""Which function translates which operator of TFLite."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.operators.activation import (
    by_function,
    clip,
    gelu,
    leaky_relu,
    prescribed,
    softmax,
    tabulated,
    unary,
)
from stowage.frontend.from_tflite.operators.arithmetic import arithmetic
from stowage.frontend.from_tflite.operators.blocks import batch_to_space, depth_to_space, space_to_batch, space_to_depth
from stowage.frontend.from_tflite.operators.conversion import cast, dequantize, quantize
from stowage.frontend.from_tflite.operators.convolution import conv2d, depthwise_conv2d
from stowage.frontend.from_tflite.operators.dense import fully_connected
from stowage.frontend.from_tflite.operators.elementwise import (
    add_n,
    combination,
    comparison,
    extreme,
    floor_div,
    function,
    prelu,
    rsqrt,
    select,
    square,
    squared_difference,
)
from stowage.frontend.from_tflite.operators.joining import concatenation, pack
from stowage.frontend.from_tflite.operators.movement import as_declared, mirror_pad, pad, reshape, transpose
from stowage.frontend.from_tflite.operators.normalisation import l2_normalization, l2_pool2d, log_softmax
from stowage.frontend.from_tflite.operators.ordering import arg_max, arg_min, cumsum, topk
from stowage.frontend.from_tflite.operators.pooling import average_pool2d, max_pool2d
from stowage.frontend.from_tflite.operators.product import batch_matmul
from stowage.frontend.from_tflite.operators.recurrent import sequence_lstm
from stowage.frontend.from_tflite.operators.reduction import mean, reduction, total
from stowage.frontend.from_tflite.operators.resizing import resize_bilinear, resize_nearest
from stowage.frontend.from_tflite.operators.selecting import (
    broadcast_to,
    embedding_lookup,
    gather,
    gather_nd,
    one_hot,
    reverse,
    scatter_nd,
    tile,
)
from stowage.frontend.from_tflite.operators.shapes import broadcast_args, fill, range_, rank, shape, zeros_like
from stowage.frontend.from_tflite.operators.slicing import slice_, split, split_v, strided_slice, unpack
from stowage.frontend.from_tflite.operators.svdf import svdf
from stowage.frontend.from_tflite.operators.transposed import transpose_conv, transpose_conv_with_bias
from stowage.frontend.from_tflite.operators.variables import assign_variable, call_once, read_variable, var_handle
from stowage.ir.graph import Value
from stowage.ir.ops.combination import And, Equal, Less, LessOrEqual, Max, Min, Mod, Or, Pow
from stowage.ir.ops.elementwise import Add, Div, HardSwish, Mul, Sigmoid, Sub, Tanh
from stowage.ir.ops.function import Abs, Ceil, Cos, Elu, Exp, Floor, Log, Neg, Round, Sign, Sin, Sqrt
from stowage.ir.ops.reduction import ReduceMax, ReduceMin, ReduceProd
from stowage.ir.ops.truth import Not
from stowage.ir.tflite.tabulated import absolute_table

Translator = Callable[[OperatorSite], list[Value]]
"""Makes the values of an operator's results, in their order."""

TRANSLATORS: Mapping[str, Translator] = MappingProxyType(
    {
        "ABS": tabulated(Abs(), absolute_table),
        "ADD": arithmetic(Add),
        "ADD_N": add_n,
        "ARG_MAX": arg_max,
        "ARG_MIN": arg_min,
        "ASSIGN_VARIABLE": assign_variable,
        "AVERAGE_POOL_2D": average_pool2d,
        "BATCH_MATMUL": batch_matmul,
        "BATCH_TO_SPACE_ND": batch_to_space,
        "BROADCAST_ARGS": broadcast_args,
        "BROADCAST_TO": broadcast_to,
        "CALL_ONCE": call_once,
        "CAST": cast,
        "CEIL": function(Ceil()),
        "CONCATENATION": concatenation,
        "CONV_2D": conv2d,
        "COS": function(Cos()),
        "CUMSUM": cumsum,
        "DEPTHWISE_CONV_2D": depthwise_conv2d,
        "DEPTH_TO_SPACE": depth_to_space,
        "DEQUANTIZE": dequantize,
        "DIV": arithmetic(Div),
        "ELU": by_function(Elu(1.0)),
        "EMBEDDING_LOOKUP": embedding_lookup,
        "EQUAL": comparison(Equal()),
        "EXP": by_function(Exp()),
        "EXPAND_DIMS": as_declared,
        "FILL": fill,
        "FLOOR": function(Floor()),
        "FLOOR_DIV": floor_div,
        "FLOOR_MOD": combination(Mod()),
        "FULLY_CONNECTED": fully_connected,
        "GATHER": gather,
        "GATHER_ND": gather_nd,
        "GELU": gelu,
        "GREATER": comparison(LessOrEqual(), negated=True),
        "GREATER_EQUAL": comparison(Less(), negated=True),
        "HARD_SWISH": unary(HardSwish()),
        "L2_NORMALIZATION": l2_normalization,
        "L2_POOL_2D": l2_pool2d,
        "LEAKY_RELU": leaky_relu,
        "LESS": comparison(Less()),
        "LESS_EQUAL": comparison(LessOrEqual()),
        "LOG": by_function(Log()),
        "LOGICAL_AND": combination(And()),
        "LOGICAL_NOT": function(Not()),
        "LOGICAL_OR": combination(Or()),
        "LOGISTIC": prescribed(Sigmoid(), 1 / 256, -128),
        "LOG_SOFTMAX": log_softmax,
        "MAXIMUM": extreme(Max()),
        "MAX_POOL_2D": max_pool2d,
        "MEAN": mean,
        "MINIMUM": extreme(Min()),
        "MIRROR_PAD": mirror_pad,
        "MUL": arithmetic(Mul),
        "NEG": function(Neg()),
        "NOT_EQUAL": comparison(Equal(), negated=True),
        "ONE_HOT": one_hot,
        "PACK": pack,
        "PAD": pad,
        "PADV2": pad,
        "POW": combination(Pow()),
        "PRELU": prelu,
        "QUANTIZE": quantize,
        "RANGE": range_,
        "RANK": rank,
        "READ_VARIABLE": read_variable,
        "REDUCE_ALL": reduction(ReduceMin),
        "REDUCE_ANY": reduction(ReduceMax),
        "REDUCE_MAX": reduction(ReduceMax),
        "REDUCE_MIN": reduction(ReduceMin),
        "REDUCE_PROD": reduction(ReduceProd),
        "RELU": clip(0.0),
        "RELU6": clip(0.0, 6.0),
        "RELU_0_TO_1": clip(0.0, 1.0),
        "RELU_N1_TO_1": clip(-1.0, 1.0),
        "RESHAPE": reshape,
        "RESIZE_BILINEAR": resize_bilinear,
        "RESIZE_NEAREST_NEIGHBOR": resize_nearest,
        "REVERSE_V2": reverse,
        "ROUND": function(Round()),
        "RSQRT": rsqrt,
        "SCATTER_ND": scatter_nd,
        "SELECT": select,
        "SELECT_V2": select,
        "SHAPE": shape,
        "SIGN": function(Sign()),
        "SIN": function(Sin()),
        "SLICE": slice_,
        "SOFTMAX": softmax,
        "SPACE_TO_BATCH_ND": space_to_batch,
        "SPACE_TO_DEPTH": space_to_depth,
        "SPLIT": split,
        "SPLIT_V": split_v,
        "SQRT": function(Sqrt()),
        "SQUARE": square,
        "SQUARED_DIFFERENCE": squared_difference,
        "SQUEEZE": as_declared,
        "STRIDED_SLICE": strided_slice,
        "SUB": arithmetic(Sub),
        "SUM": total,
        "SVDF": svdf,
        "TANH": prescribed(Tanh(), 1 / 128, 0),
        "TILE": tile,
        "TOPK_V2": topk,
        "TRANSPOSE": transpose,
        "TRANSPOSE_CONV": transpose_conv,
        "UNIDIRECTIONAL_SEQUENCE_LSTM": sequence_lstm,
        "UNPACK": unpack,
        "VAR_HANDLE": var_handle,
        "ZEROS_LIKE": zeros_like,
    }
)
"""By the schema's name of the operator."""

CUSTOM: Mapping[str, Translator] = MappingProxyType({"Convolution2DTransposeBias": transpose_conv_with_bias})
"""By the name of a custom operator."""
