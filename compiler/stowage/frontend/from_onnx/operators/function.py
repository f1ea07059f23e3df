# SPDX-License-Identifier: Apache-2.0
"""Functions of one number beside the usual activations, and truth values of one element."""

from __future__ import annotations

from stowage.frontend.from_onnx.node_site import Importer, Importers, NodeSite, Results
from stowage.ir.ops import angle, function, truth
from stowage.ir.ops.op import Op

_SELU = {"alpha": 1.67326319217681884765625, "gamma": 1.05070102214813232421875}


def _real(op: Op) -> Importer:
    return lambda site: (site.add(op, site.real(0)),)


def _number(op: Op) -> Importer:
    return lambda site: (site.add(op, site.number(0)),)


def _elu(site: NodeSite) -> Results:
    return (site.add(function.Elu(site.scalar("alpha", 1.0)), site.real(0)),)


def _selu(site: NodeSite) -> Results:
    op = function.Elu(site.scalar("alpha", _SELU["alpha"]), site.scalar("gamma", _SELU["gamma"]))
    return (site.add(op, site.real(0)),)


def _celu(site: NodeSite) -> Results:
    return (site.add(function.Celu(site.scalar("alpha", 1.0)), site.real(0)),)


def _thresholded_relu(site: NodeSite) -> Results:
    return (site.add(function.ThresholdedRelu(site.scalar("alpha", 1.0)), site.real(0)),)


def _shrink(site: NodeSite) -> Results:
    return (site.add(function.Shrink(site.scalar("bias", 0.0), site.scalar("lambd", 0.5)), site.real(0)),)


def _gelu(site: NodeSite) -> Results:
    approximate = site.text("approximate", "none", ("none", "tanh"))
    return (site.add(function.Gelu() if approximate == "none" else function.GeluTanh(), site.real(0)),)


def _swish(site: NodeSite) -> Results:
    return (site.add(function.Swish(site.scalar("alpha", 1.0)), site.real(0)),)


def _is_inf(site: NodeSite) -> Results:
    op = truth.IsInf(site.flag("detect_positive", True), site.flag("detect_negative", True))
    return (site.add(op, site.real(0)),)


IMPORTERS: Importers = {
    "Neg": _number(function.Neg()),
    "Abs": _number(function.Abs()),
    "Sign": _number(function.Sign()),
    "Exp": _real(function.Exp()),
    "Log": _real(function.Log()),
    "Sqrt": _real(function.Sqrt()),
    "Reciprocal": _real(function.Reciprocal()),
    "Floor": _real(function.Floor()),
    "Ceil": _real(function.Ceil()),
    "Round": _real(function.Round()),
    "Erf": _real(function.Erf()),
    "Sin": _real(function.Sin()),
    "Cos": _real(function.Cos()),
    **{record.__name__: _real(record()) for record in angle.ANGLES},
    "Softplus": _real(function.Softplus()),
    "Softsign": _real(function.Softsign()),
    "Mish": _real(function.Mish()),
    "Elu": _elu,
    "Selu": _selu,
    "Celu": _celu,
    "ThresholdedRelu": _thresholded_relu,
    "Shrink": _shrink,
    "Gelu": _gelu,
    "Swish": _swish,
    "Not": lambda site: (site.add(truth.Not(), site.operand(0)),),
    "BitwiseNot": _number(truth.Not()),
    "IsNaN": _real(truth.IsNan()),
    "IsInf": _is_inf,
}
