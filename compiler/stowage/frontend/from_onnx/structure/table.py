# SPDX-License-Identifier: Apache-2.0
"""The table of operators that run graphs, or that put names to what others have made."""

from __future__ import annotations

from types import MappingProxyType

from stowage.frontend.from_onnx.structure import branch, loop, optional, scan, sequence
from stowage.frontend.from_onnx.structure.nested import Structures

_FAMILIES = (branch, loop, scan, sequence, optional)

STRUCTURES: Structures = MappingProxyType(
    {name: structure for family in _FAMILIES for name, structure in family.STRUCTURES.items()}
)
