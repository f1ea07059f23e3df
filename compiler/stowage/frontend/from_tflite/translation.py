# SPDX-License-Identifier: Apache-2.0
"""One operator of the file, translated and held against what the file says of its results."""

from __future__ import annotations

from stowage.errors import InvalidModel, UnsupportedModel
from stowage.frontend.from_tflite.model_records import ABSENT, OperatorRecord
from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.operators.table import CUSTOM, TRANSLATORS
from stowage.frontend.from_tflite.tensors import Tensors
from stowage.frontend.graph_builder import GraphBuilder
from stowage.ir.graph import Value
from stowage.ir.ops.op import ShapeError


def translate(record: OperatorRecord, place: int, tensors: Tensors, builder: GraphBuilder) -> None:
    """Adds an operator's nodes and binds its results.

    Raises:
        UnsupportedModel: Stowage does not compile it.
        InvalidModel: it contradicts itself or what the file says of its results.
    """
    made = [index for index in record.outputs if index != ABSENT]
    name = tensors.name(made[0]) if made else f"operator_{place}"
    site = OperatorSite(record, name, tensors, builder)
    translator = CUSTOM.get(record.custom_name) if record.kind == "CUSTOM" else TRANSLATORS.get(record.kind)
    if translator is None:
        kind = f"custom operator {record.custom_name!r}" if record.kind == "CUSTOM" else "operator"
        raise UnsupportedModel(
            where=site.where, reason=f"Stowage does not compile this {kind}", remedy="replace it by supported operators"
        )
    try:
        values = translator(site)
    except ShapeError as error:
        raise InvalidModel(where=site.where, reason=str(error), remedy="convert the model again") from error
    for index, value in zip(record.outputs, values, strict=False):
        if index != ABSENT:
            _bind(site, index, value)


def _bind(site: OperatorSite, index: int, value: Value) -> None:
    declared = site.tensors.type(index)
    if value.type.dtype is not declared.dtype or (value.type.quant is None) != (declared.quant is None):
        site.invalid(f"it makes {value.type.dtype.value}, but its result is declared {declared.dtype.value}")
    wanted = site.tensors.wanted_shape(index)
    if site.tensors.has_shape(index) and wanted and not _is_of_shape(value.type.shape, wanted):
        site.invalid(f"it makes the shape {list(value.type.shape)}, but its result has {list(declared.shape)}")
    site.tensors.bind(index, value)
    site.builder.rename(value, site.tensors.name(index))


def _is_of_shape(shape: tuple[int, ...], wanted: tuple[int, ...]) -> bool:
    """Whether extents are those that are not open."""
    return len(shape) == len(wanted) and all(
        expected in (-1, extent) for extent, expected in zip(shape, wanted, strict=True)
    )
