# SPDX-License-Identifier: Apache-2.0
"""Resize against ONNX Runtime, in every mode."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from stowage.ir.ops import movement
from stowage.ir.reference.onnx_oracle import TO_NCHW, TO_NHWC, assert_close, normal, onnx_runtime, reference
from stowage.ir.resize_coordinates import coordinates_of

ORACLE = settings(deadline=None, max_examples=60, suppress_health_check=list(HealthCheck))
SEEDS = st.integers(0, 2**32 - 1)
ROUNDINGS = st.sampled_from(["round_prefer_floor", "round_prefer_ceil", "floor", "ceil"])
SIZES = st.tuples(st.integers(1, 9), st.integers(1, 9))
COORDINATE_MODES = ["half_pixel", "half_pixel_symmetric", "pytorch_half_pixel", "align_corners", "asymmetric"]


def on_an_edge(op: movement.Resize, image: tuple[int, int]) -> bool:
    """Whether a coordinate is so near to where the neighbour changes that rounding errors decide.

    There ONNX Runtime and ONNX's own reference disagree in two modes.
    """
    twice = np.concatenate([coordinates_of(op, axis, image[axis]) for axis in (0, 1)]) * 2
    return bool(np.any(np.abs(twice - np.rint(twice)) < 1e-5))


@pytest.mark.parametrize("coordinates", COORDINATE_MODES)
@ORACLE
@given(SEEDS, SIZES, SIZES, ROUNDINGS)
def test_resize_to_the_nearest(coordinates: str, seed: int, image: Any, size: Any, nearest: str) -> None:
    data = normal(seed, 1, *image, 2)
    scales = (float(np.float32(size[0] / image[0])), float(np.float32(size[1] / image[1])))
    op = movement.Resize(size, scales, "nearest", coordinates, nearest)
    disputed = coordinates == "half_pixel_symmetric" or (coordinates, nearest) == ("asymmetric", "round_prefer_ceil")
    assume(not disputed or not on_an_edge(op, image))
    theirs = onnx_runtime(
        "Resize",
        [data.transpose(TO_NCHW), None, None, np.array([1, 2, *size], dtype=np.int64)],
        mode="nearest",
        coordinate_transformation_mode=coordinates,
        nearest_mode=nearest,
    )
    np.testing.assert_array_equal(reference(op, [data]), theirs.transpose(TO_NHWC))


@pytest.mark.parametrize("coordinates", COORDINATE_MODES)
@ORACLE
@given(SEEDS, SIZES, SIZES)
def test_resize_linearly(coordinates: str, seed: int, image: Any, size: Any) -> None:
    data = normal(seed, 1, *image, 2)
    scales = (float(np.float32(size[0] / image[0])), float(np.float32(size[1] / image[1])))
    ours = reference(movement.Resize(size, scales, "linear", coordinates), [data])
    sizes = np.array([1, 2, *size], dtype=np.int64)
    attributes: Any = {"mode": "linear", "coordinate_transformation_mode": coordinates}
    theirs = onnx_runtime("Resize", [data.transpose(TO_NCHW), None, None, sizes], **attributes)
    assert_close(ours, theirs.transpose(TO_NHWC))


@ORACLE
@given(SEEDS, st.sampled_from([0.3, 0.7, 1.1, 1.7, 2.5]), st.sampled_from(["half_pixel", "asymmetric"]))
def test_resize_by_scales_that_are_no_quotients(seed: int, factor: float, coordinates: str) -> None:
    data, scale = normal(seed, 1, 11, 1, 1), np.float32(factor)
    scales = np.array([1, 1, scale, 1], dtype=np.float32)
    attributes = {"coordinate_transformation_mode": coordinates, "nearest_mode": "floor"}
    theirs = onnx_runtime("Resize", [data.transpose(TO_NCHW), None, scales], **attributes).transpose(TO_NHWC)
    op = movement.Resize((theirs.shape[1], 1), (float(scale), 1.0), "nearest", coordinates, "floor")
    np.testing.assert_array_equal(reference(op, [data]), theirs)
