# SPDX-License-Identifier: Apache-2.0
"""RESIZE_NEAREST_NEIGHBOR and RESIZE_BILINEAR."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stowage.frontend.from_tflite.operator_site import OperatorSite
from stowage.frontend.from_tflite.quantised_alike import check_alike
from stowage.frontend.from_tflite.read_as import read_as
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.ops.movement import Resize
from stowage.ir.ops.selection import Gather
from stowage.ir.resize_coordinates import nearest_indices


def resize_nearest(site: OperatorSite) -> list[Value]:
    """The element at or before each place, or with aligned corners the nearest."""
    data, size = _image(site)
    rounding = "floor" if _coordinates(site) == "asymmetric" else "round_prefer_ceil"
    op = Resize(size, _scales(site, data, size), "nearest", _coordinates(site), rounding)
    wanted = [_indices(site, data.type.shape[1 + axis], size[axis]) for axis in (0, 1)]
    found = [nearest_indices(op, axis, data.type.shape[1 + axis]) for axis in (0, 1)]
    if all(np.array_equal(*pair) for pair in zip(wanted, found, strict=True)):
        return [read_as(site, site.add(op, (data,)))]
    rows = site.add(Gather(1), (data, site.known(wanted[0].astype(np.int32), "rows")), "resized_rows")
    return [read_as(site, site.add(Gather(2), (rows, site.known(wanted[1].astype(np.int32), "columns"))))]


def resize_bilinear(site: OperatorSite) -> list[Value]:
    """Weighed by the distances to the four elements around each place."""
    data, size = _image(site)
    check_alike(site, data)
    if data.type.dtype is DType.U8:
        site.refuse("it interpolates uint8, which TFLite does in reals", "convert the model with int8")
    return [site.add(Resize(size, _scales(site, data, size), "linear", _coordinates(site)), (data,))]


def _image(site: OperatorSite) -> tuple[Value, tuple[int, int]]:
    data, size = site.input(0), site.integers(1, "size")
    if len(data.type.shape) != 4 or len(size) != 2 or min(size) < 1 or min(data.type.shape) < 1:
        site.invalid(f"{list(data.type.shape)} cannot be resized to {list(size)}")
    return data, (size[0], size[1])


def _coordinates(site: OperatorSite) -> str:
    """How places in the result lie in the input, by ONNX's name."""
    if site.option("AlignCorners", False):
        return "align_corners"
    return "half_pixel" if site.option("HalfPixelCenters", False) else "asymmetric"


def _scales(site: OperatorSite, data: Value, size: tuple[int, int]) -> tuple[float, float]:
    height, width = data.type.shape[1:3]
    return size[0] / height, size[1] / width


def _indices(site: OperatorSite, extent: int, size: int) -> NDArray[np.int64]:
    """TFLite's, in single precision."""
    aligned = _coordinates(site) == "align_corners" and size > 1
    scale = np.float32(extent - 1) / np.float32(size - 1) if aligned else np.float32(extent) / np.float32(size)
    offset = np.float32(0.5 if _coordinates(site) == "half_pixel" else 0.0)
    places = (np.arange(size, dtype=np.float32) + offset) * scale
    whole = np.floor(places + np.float32(0.5)) if aligned else np.floor(places)
    indices: NDArray[np.int64] = np.clip(whole, 0, extent - 1).astype(np.int64)
    return indices
