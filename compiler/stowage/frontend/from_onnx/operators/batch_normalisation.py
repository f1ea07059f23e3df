# SPDX-License-Identifier: Apache-2.0
"""BatchNormalization: with known parameters one operator that passes fold away, else arithmetic on the channels."""

from __future__ import annotations

from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Add, Div, Mul, Sub
from stowage.ir.ops.function import Sqrt
from stowage.ir.ops.movement import Reshape
from stowage.ir.ops.reduction import BatchNormalization, ReduceMean

_PARAMETERS = range(1, 5)
"""Operands scale, bias, mean and variance."""


def _batch_normalization(site: NodeSite) -> Results:
    """Along axis 1 where ONNX has channels; the operator needs no image, so nothing is transposed."""
    site.only("spatial", 1, 1)
    if site.flag("training_mode"):
        return _by_own_statistics(site)
    if any(site.makes(index) for index in range(1, 5)):
        raise site.unsupported("more than the first output is used, which is for training", "export for inference")
    value, parameters = site.real(0), [site.weights(index) for index in _PARAMETERS]
    if not all(site.is_known(index) for index in _PARAMETERS):
        scale, bias, mean, variance = (_of_channels(site, each) for each in parameters)
        centred = site.add(Sub(), value, mean, role="centred")
        return (_scaled(site, centred, variance, scale, bias),)
    return (site.add(BatchNormalization(1, site.scalar("epsilon", 1e-5)), value, *parameters),)


def _by_own_statistics(site: NodeSite) -> Results:
    """Training mode: by the batch's own mean and variance, which also move the running ones along."""
    value, rank = site.real(0), len(site.type(0).shape)
    scale, bias, running_mean, running_variance = (_of_channels(site, site.weights(index)) for index in _PARAMETERS)
    axes = (0, *range(2, rank))
    mean = site.add(ReduceMean(axes), value, role="mean")
    centred = site.add(Sub(), value, mean, role="centred")
    squares = site.add(Mul(), centred, centred, role="squares")
    variance = site.add(ReduceMean(axes), squares, role="variance")
    result = _scaled(site, centred, variance, scale, bias)
    moved_mean = _moved_along(site, running_mean, mean, "mean")
    return result, moved_mean, _moved_along(site, running_variance, variance, "variance")


def _scaled(site: NodeSite, centred: Value, variance: Value, scale: Value, bias: Value) -> Value:
    shifted = site.add(Add(), variance, site.scalar_constant("epsilon", site.scalar("epsilon", 1e-5)), role="shifted")
    gain = site.add(Div(), scale, site.add(Sqrt(), shifted, role="deviation"), role="gain")
    return site.add(Add(), site.add(Mul(), centred, gain, role="scaled"), bias)


def _moved_along(site: NodeSite, running: Value, of_batch: Value, role: str) -> Value:
    momentum = site.scalar("momentum", 0.9)
    kept = site.add(Mul(), running, site.scalar_constant("momentum", momentum), role=f"kept_{role}")
    new = site.add(Mul(), of_batch, site.scalar_constant("rest", 1 - momentum), role=f"new_{role}")
    total = site.add(Add(), kept, new, role=f"moved_{role}")
    return site.add(Reshape((running.type.elements,)), total, role=f"running_{role}")


def _of_channels(site: NodeSite, parameters: Value) -> Value:
    """[C] -> [C, 1, …], which broadcasts over an image [N, C, …]."""
    ones = (1,) * (len(site.type(0).shape) - 2)
    return site.moved(Reshape((*parameters.type.shape, *ones)), parameters, "of_channels")


IMPORTERS: Importers = {"BatchNormalization": _batch_normalization}
