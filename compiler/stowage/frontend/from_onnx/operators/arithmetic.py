# SPDX-License-Identifier: Apache-2.0
"""Add, Sub, Mul and Div with broadcasting, and Cast."""

from __future__ import annotations

from stowage.frontend.from_onnx.element_types import dtype_of
from stowage.frontend.from_onnx.node_site import Importer, Importers, NodeSite, Results
from stowage.ir.ops.elementwise import Add, Cast, Div, Mul, Sub
from stowage.ir.ops.op import Op


def _binary(op: Op) -> Importer:
    def translate(site: NodeSite) -> Results:
        return (site.add(op, site.number(0), site.number(1)),)

    return translate


def _cast(site: NodeSite) -> Results:
    to = dtype_of(site.integer("to", 0), site.where)
    value = site.number(0)
    return (value if value.type.dtype is to else site.add(Cast(to), value),)


IMPORTERS: Importers = {
    "Add": _binary(Add()),
    "Sub": _binary(Sub()),
    "Mul": _binary(Mul()),
    "Div": _binary(Div()),
    "Cast": _cast,
}
