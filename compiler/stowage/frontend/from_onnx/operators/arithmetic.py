# SPDX-License-Identifier: Apache-2.0
"""Add, Sub, Mul and Div with broadcasting, Cast and CastLike."""

from __future__ import annotations

from stowage.frontend.from_onnx.element_types import dtype_of
from stowage.frontend.from_onnx.node_site import Importer, Importers, NodeSite, Results
from stowage.ir.dtype import DType
from stowage.ir.graph import Arithmetic, Value
from stowage.ir.ops.elementwise import Add, Cast, Div, Mul, Sub
from stowage.ir.ops.op import Op
from stowage.ir.reference.interpreter import compute
from stowage.ir.reference.operand import Operand
from stowage.ir.tensor_type import TensorType


def _binary(op: Op) -> Importer:
    def translate(site: NodeSite) -> Results:
        return (site.add(op, site.number(0), site.number(1)),)

    return translate


def _cast(site: NodeSite) -> Results:
    return (_as_type(site, dtype_of(site.integer("to", 0), site.where)),)


def _cast_like(site: NodeSite) -> Results:
    """The second operand gives the type, and its elements do not matter: it may be computed at run time."""
    to, known = site.type(1).dtype, site.tensors.known(site.proto.input[0])
    if known is None:
        return (_as_type(site, to),)
    given, result = TensorType(known.shape, DType.of(known.dtype)), TensorType(known.shape, to)
    return (compute(Cast(to), [Operand(given, known)], result, Arithmetic.ONNX),)


def _as_type(site: NodeSite, to: DType) -> Value:
    value = site.number(0)
    return value if value.type.dtype is to else site.add(Cast(to), value)


IMPORTERS: Importers = {
    "Add": _binary(Add()),
    "Sub": _binary(Sub()),
    "Mul": _binary(Mul()),
    "Div": _binary(Div()),
    "Cast": _cast,
    "CastLike": _cast_like,
}
