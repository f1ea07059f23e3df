# SPDX-License-Identifier: Apache-2.0
"""Look-up of 8-bit elements: table.h."""

from __future__ import annotations

import numpy as np

from stowage.ir.dtype import DType
from stowage.ir.graph import Array, Node
from stowage.target.kernels.call_parts import pointers, require_elements, word
from stowage.target.kernels.kernel import KernelCall, KernelConstant, NoKernel, Site
from stowage.target.kernels.overlaps import element_by_element


def lower_table(node: Node, site: Site) -> KernelCall:
    """The call for Table."""
    require_elements(node)
    data, table = node.inputs
    if table.name not in site.constants:
        raise NoKernel("a table that is not constant")
    size_bytes = node.output.type.dtype.size_bytes
    if size_bytes > 4:
        raise NoKernel(f"a table of {node.output.type.dtype.value}")
    return KernelCall(
        header="stowage/kernels/table.h",
        function=f"stw_table_u{8 * size_bytes}",
        parameters=(("elements", node.output.type.elements),),
        arguments=pointers(("uint8_t",), word(node.output), constants=(word(node.output),)),
        constants=(KernelConstant("table", by_unsigned_byte(site.constants[table.name], data.type.dtype)),),
        overlaps=(element_by_element(0, node.output.type.elements, 1, size_bytes),),
    )


def by_unsigned_byte(table: Array, index: DType) -> Array:
    """The entries' bits, indexed by the input's byte as unsigned; the op counts from the lowest number of its type."""
    entries = np.ascontiguousarray(table).view(np.dtype(f"uint{8 * table.dtype.itemsize}"))
    return np.roll(entries, -128) if index is DType.I8 else entries
