# SPDX-License-Identifier: Apache-2.0
"""The table of operators that can be imported, by their name in ONNX's own domain: one module a family."""

from __future__ import annotations

from types import MappingProxyType

from stowage.frontend.from_onnx.node_site import Importers
from stowage.frontend.from_onnx.operators import (
    activation,
    arithmetic,
    batch_normalisation,
    combination,
    constant,
    convolution,
    einsum,
    function,
    integer_product,
    joining,
    normalisation,
    ordering,
    padding,
    pooling,
    product,
    quantised_product,
    quantising,
    recurrent,
    reduction,
    resizing,
    sampling,
    scattering,
    selecting,
    shaping,
    signal,
    signal_table,
    slicing,
    transposed,
    unpooling,
)

_FAMILIES = (
    convolution,
    pooling,
    product,
    arithmetic,
    activation,
    function,
    combination,
    normalisation,
    batch_normalisation,
    reduction,
    shaping,
    joining,
    slicing,
    padding,
    constant,
    quantising,
    quantised_product,
    integer_product,
    resizing,
    sampling,
    selecting,
    recurrent,
    transposed,
    unpooling,
    scattering,
    ordering,
    einsum,
    signal,
    signal_table,
)

IMPORTERS: Importers = MappingProxyType(
    {name: importer for family in _FAMILIES for name, importer in family.IMPORTERS.items()}
)
