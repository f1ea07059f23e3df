# SPDX-License-Identifier: Apache-2.0
"""Normalisations of layers, instances and groups, and of local responses."""

from __future__ import annotations

import math

from stowage.frontend.from_onnx.image import check_image
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.ir.graph import Value
from stowage.ir.ops.combination import Pow
from stowage.ir.ops.elementwise import Add, Mul, Sub
from stowage.ir.ops.function import Reciprocal, Sqrt
from stowage.ir.ops.movement import Reshape, Transpose
from stowage.ir.ops.reduction import Normalize, ReduceMean
from stowage.ir.ops.window import AveragePool2d


def _layer_normalization(site: NodeSite) -> Results:
    """Over all axes from `axis` on; scale and bias have their extents. Mean and 1 / deviation are further outputs."""
    axes, epsilon = _last_axes(site), site.scalar("epsilon", 1e-5)
    mean = site.add(ReduceMean(axes), site.real(0), role="mean")
    centred = site.add(Sub(), site.real(0), mean, role="centred")
    variance = site.add(ReduceMean(axes), site.add(Mul(), centred, centred, role="squares"), role="variance")
    shifted = site.add(Add(), variance, site.scalar_constant("epsilon", epsilon), role="shifted")
    inverse = site.add(Reciprocal(), site.add(Sqrt(), shifted, role="deviation"), role="inverse_deviation")
    return _over_last(site, centred=True), mean, inverse


def _rms_normalization(site: NodeSite) -> Results:
    return (_over_last(site, centred=False),)


def _last_axes(site: NodeSite) -> tuple[int, ...]:
    rank = len(site.type(0).shape)
    return tuple(range(site.axis(site.integer("axis", -1), rank), rank))


def _over_last(site: NodeSite, *, centred: bool) -> Value:
    op = Normalize(_last_axes(site), site.scalar("epsilon", 1e-5), centred)
    normal = site.add(op, site.real(0), role="normal")
    return _scaled(site, normal, site.weights(1), site.weights(2) if site.has(2) else None)


def _scaled(site: NodeSite, normal: Value, scale: Value, bias: Value | None) -> Value:
    scaled = site.add(Mul(), normal, scale, role="scaled")
    return scaled if bias is None else site.add(Add(), scaled, bias)


def _instance_normalization(site: NodeSite) -> Results:
    value, rank = site.real(0), len(site.type(0).shape)
    normal = site.add(Normalize(tuple(range(2, rank)), site.scalar("epsilon", 1e-5)), value, role="normal")
    return (_scaled(site, normal, *(_of_channels(site, site.weights(index), rank) for index in (1, 2))),)


def _of_channels(site: NodeSite, parameters: Value, rank: int) -> Value:
    return site.moved(Reshape((*parameters.type.shape, *(1,) * (rank - 2))), parameters, "of_channels")


def _group_normalization(site: NodeSite) -> Results:
    """Over each group of channels together; scale and bias are a channel's."""
    value, shape = site.real(0), site.type(0).shape
    groups = site.integer("num_groups", 0)
    if len(shape) < 3 or groups < 1 or shape[1] % groups:
        raise site.invalid(f"{groups} groups do not divide the channels of {list(shape)}")
    rows = site.add(Reshape((shape[0], groups, math.prod(shape[1:]) // groups)), value, role="groups")
    normal = site.add(Normalize((2,), site.scalar("epsilon", 1e-5)), rows, role="normal")
    whole = site.add(Reshape(shape), normal, role="ungrouped")
    return (_scaled(site, whole, *(_of_channels(site, site.weights(k), len(shape)) for k in (1, 2))),)


def _mean_variance_normalization(site: NodeSite) -> Results:
    axes = tuple(site.axis(axis, len(site.type(0).shape)) for axis in site.ints("axes") or (0, 2, 3))
    return (site.add(Normalize(axes, 1e-9), site.real(0)),)


def _lrn(site: NodeSite) -> Results:
    """x (bias + alpha * mean of squares of `size` channels around)^-beta: the mean is a pool along channels."""
    check_image(site, 0)
    size, shape = site.integer("size", 0), site.type(0).shape
    if size < 1:
        raise site.invalid(f"attribute size is {size}, but must be positive")
    order = (0, *range(2, len(shape)), 1)
    last = site.add(Transpose(order), site.real(0), role="channels_last")
    square = site.add(Mul(), last, last, role="square")
    pixels = math.prod(shape) // shape[1]
    rows = site.add(Reshape((1, pixels, shape[1], 1)), square, role="rows")
    pads = (0, (size - 1) // 2, 0, size // 2)
    means = site.add(AveragePool2d((1, size), pads=pads, count_include_pad=True), rows, role="means")
    mean = site.add(Reshape(last.type.shape), means, role="mean")
    weighed = site.add(Mul(), mean, site.scalar_constant("alpha", site.scalar("alpha", 1e-4)), role="weighed")
    base = site.add(Add(), weighed, site.scalar_constant("bias", site.scalar("bias", 1.0)), role="base")
    factor = site.add(Pow(), base, site.scalar_constant("beta", -site.scalar("beta", 0.75)), role="factor")
    result = site.add(Mul(), last, factor, role="normal")
    return (site.add(Transpose((0, len(shape) - 1, *range(1, len(shape) - 1))), result),)


IMPORTERS: Importers = {
    "LayerNormalization": _layer_normalization,
    "RMSNormalization": _rms_normalization,
    "InstanceNormalization": _instance_normalization,
    "GroupNormalization": _group_normalization,
    "MeanVarianceNormalization": _mean_variance_normalization,
    "LRN": _lrn,
}
