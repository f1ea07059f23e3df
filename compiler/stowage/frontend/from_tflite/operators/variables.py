# SPDX-License-Identifier: Apache-2.0
"""VAR_HANDLE, READ_VARIABLE, ASSIGN_VARIABLE and CALL_ONCE: what a streaming model keeps from run to run.

A handle is a resource with a name of its own; whoever reads or writes it names it. The subgraph that CALL_ONCE runs
before the first run gives variables their first value, which has to be the real number 0.
"""

from __future__ import annotations

import numpy as np

from stowage.frontend.from_tflite.model_records import OperatorRecord
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.tensors import Tensors
from stowage.ir.graph import Value


def var_handle(site: OperatorSite) -> list[Value]:
    """Names a resource; no bytes are behind it."""
    site.tensors.name_resource(site.record.outputs[0] if site.record.outputs else 0, _name(site.record))
    return []


def read_variable(site: OperatorSite) -> list[Value]:
    """What the variable holds now."""
    return [site.tensors.states.read(_resource(site), site.declared(), _resource(site))]


def assign_variable(site: OperatorSite) -> list[Value]:
    """Lets the variable hold operand 1 from now on."""
    site.tensors.states.write(_resource(site), site.input(1))
    return []


def call_once(site: OperatorSite) -> list[Value]:
    """Checks that the subgraph does no more than give variables a first value of 0."""
    index = site.option("InitSubgraphIndex")
    subgraphs = site.tensors.model.subgraphs
    if not 0 < index < len(subgraphs):
        site.invalid(f"there is no subgraph {index} that it could call")
    subgraph = subgraphs[index]
    tensors = Tensors(site.tensors.model, subgraph, site.builder, site.tensors.states)
    for record in subgraph.operators:
        if record.kind == "ASSIGN_VARIABLE" and len(record.inputs) == 2:
            _check_zero(site, tensors, record)
        elif record.kind != "VAR_HANDLE":
            site.refuse(f"the subgraph that it calls holds {record.kind}", "let it assign constants alone")
    return []


def _check_zero(site: OperatorSite, tensors: Tensors, record: OperatorRecord) -> None:
    value = tensors.value(record.inputs[1], site.where)
    array = site.builder.elements(value)
    quant = value.type.quant
    zero = 0 if quant is None else quant.zero_point
    if array is None or not np.all(array == np.array(zero, array.dtype)):
        site.refuse("it gives a variable a first value other than the real number 0", "let states begin with 0")


def _name(record: OperatorRecord) -> str:
    names = (record.options.get(field, "") for field in ("Container", "SharedName"))
    return "/".join(name for name in names if isinstance(name, str) and name)


def _resource(site: OperatorSite) -> str:
    name = site.tensors.resource(site.record.inputs[0]) if site.has(0) else None
    if not name:
        site.invalid("its first operand is no named resource")
    return name
