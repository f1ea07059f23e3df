# SPDX-License-Identifier: Apache-2.0
"""The activation functions that recurrent layers name, with the numbers that go with them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from stowage.frontend.from_onnx.node_site import NodeSite
from stowage.ir.graph import Value
from stowage.ir.ops.elementwise import Add, HardSigmoid, LeakyRelu, Mul, Relu, Sigmoid, Tanh
from stowage.ir.ops.function import Elu, Softplus, Softsign, ThresholdedRelu


@dataclass(frozen=True, slots=True)
class Activation:
    """A function by ONNX's name in small letters. `alpha` and `beta` are None where it has no such number."""

    name: str
    alpha: float | None = None
    beta: float | None = None

    def apply(self, site: NodeSite, value: Value, role: str) -> Value:
        """Adds the function of a value to the graph."""
        return _MAKERS[self.name](site, value, role, self.alpha or 0.0, self.beta or 0.0)


def activations_of(site: NodeSite, defaults: tuple[str, ...], directions: int) -> list[tuple[Activation, ...]]:
    """The functions of each direction. Numbers go, in order, to those functions that have any.

    Raises:
        InvalidModel: there are more or fewer functions than gates ask for.
        UnsupportedModel: ONNX has no such function.
    """
    attribute = site.attribute("activations")
    names = [str(name, "utf-8", "replace").lower() for name in attribute.strings] if attribute is not None else []
    names = names or list(defaults) * directions
    if len(names) != len(defaults) * directions:
        raise site.invalid(f"it names {len(names)} activations, but must name {len(defaults)} for each direction")
    alphas, betas = iter(site.floats("activation_alpha") or ()), iter(site.floats("activation_beta") or ())
    found = [_with_numbers(site, name, alphas, betas) for name in names]
    return [tuple(found[first : first + len(defaults)]) for first in range(0, len(found), len(defaults))]


def _with_numbers(site: NodeSite, name: str, alphas: Iterator[float], betas: Iterator[float]) -> Activation:
    if name not in _MAKERS:
        raise site.unsupported(f"its activation is {name!r}", f"use {', '.join(sorted(_MAKERS))}")
    alpha, beta = _NUMBERS.get(name, (None, None))
    return Activation(
        name,
        None if alpha is None else float(next(alphas, alpha)),
        None if beta is None else float(next(betas, beta)),
    )


_NUMBERS: dict[str, tuple[float | None, float | None]] = {
    "leakyrelu": (0.01, None),
    "thresholdedrelu": (1.0, None),
    "elu": (1.0, None),
    "hardsigmoid": (0.2, 0.5),
    "affine": (1.0, 0.0),
    "scaledtanh": (1.0, 1.0),
}
"""Of the functions that have numbers, what alpha and beta are where the node does not say."""


def _affine(site: NodeSite, value: Value, role: str, alpha: float, beta: float) -> Value:
    scaled = site.add(Mul(), value, site.scalar_constant(f"{role}.alpha", alpha), role=f"{role}.scaled")
    return site.add(Add(), scaled, site.scalar_constant(f"{role}.beta", beta), role=role)


def _scaled_tanh(site: NodeSite, value: Value, role: str, alpha: float, beta: float) -> Value:
    inner = site.add(Mul(), value, site.scalar_constant(f"{role}.beta", beta), role=f"{role}.inner")
    outer = site.add(Tanh(), inner, role=f"{role}.tanh")
    return site.add(Mul(), outer, site.scalar_constant(f"{role}.alpha", alpha), role=role)


_MAKERS: dict[str, Callable[[NodeSite, Value, str, float, float], Value]] = {
    "sigmoid": lambda site, value, role, alpha, beta: site.add(Sigmoid(), value, role=role),
    "tanh": lambda site, value, role, alpha, beta: site.add(Tanh(), value, role=role),
    "relu": lambda site, value, role, alpha, beta: site.add(Relu(), value, role=role),
    "softsign": lambda site, value, role, alpha, beta: site.add(Softsign(), value, role=role),
    "softplus": lambda site, value, role, alpha, beta: site.add(Softplus(), value, role=role),
    "elu": lambda site, value, role, alpha, beta: site.add(Elu(alpha), value, role=role),
    "leakyrelu": lambda site, value, role, alpha, beta: site.add(LeakyRelu(alpha), value, role=role),
    "thresholdedrelu": lambda site, value, role, alpha, beta: site.add(ThresholdedRelu(alpha), value, role=role),
    "hardsigmoid": lambda site, value, role, alpha, beta: site.add(HardSigmoid(alpha, beta), value, role=role),
    "affine": _affine,
    "scaledtanh": _scaled_tanh,
}
