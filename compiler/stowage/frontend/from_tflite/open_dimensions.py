# SPDX-License-Identifier: Apache-2.0
"""Extents that a file leaves open in its inputs, most often the batch: they are 1, or what the user says."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from stowage.errors import InvalidModel
from stowage.frontend.from_tflite.model_records import SubgraphRecord, TensorRecord


def with_extents(subgraph: SubgraphRecord, names: Sequence[str], dimensions: Mapping[str, int]) -> SubgraphRecord:
    """The subgraph with open extents of its inputs as given.

    Args:
        subgraph: the model.
        names: of its tensors.
        dimensions: extents by `<input>.<axis>`.

    Raises:
        InvalidModel: an extent is not positive, or there is no such open dimension.
    """
    tensors = list(subgraph.tensors)
    left = dict(dimensions)
    known: list[str] = []
    for index in subgraph.inputs:
        record = tensors[index]
        known += [f"{names[index]}.{axis}" for axis in record.open_axes]
        tensors[index] = _opened(record, names[index], left)
    for name in left:
        there_are = f"its dynamic dimensions are {', '.join(known)}" if known else "it has no dynamic dimensions"
        raise InvalidModel(
            where=f"dimension {name!r}", reason=f"the model has no such dimension, {there_are}", remedy="correct it"
        )
    return replace(subgraph, tensors=tuple(tensors))


def _opened(record: TensorRecord, name: str, left: dict[str, int]) -> TensorRecord:
    shape = list(record.shape)
    for axis in record.open_axes:
        extent = left.pop(f"{name}.{axis}", shape[axis])
        if extent < 1:
            raise InvalidModel(
                where=f"dimension '{name}.{axis}'", reason=f"its value is {extent}", remedy="give a positive number"
            )
        shape[axis] = extent
    return replace(record, shape=tuple(shape))
