# SPDX-License-Identifier: Apache-2.0
"""Convolution and pooling agree with ONNX Runtime for any combination of their attributes."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st
from onnx import helper

from stowage.frontend.from_onnx.model_making import floats, model_of
from stowage.frontend.from_onnx.oracle import check_import


@st.composite
def windows(draw: st.DrawFn, axes: int, pooling: bool) -> tuple[list[int], list[int], dict[str, Any]]:
    """Image extents, kernel, and attributes of a window that fits.

    ONNX Runtime refuses SAME pads together with dilations, and with strides that leave gaps.
    """
    auto_pad = draw(st.sampled_from(["NOTSET", "SAME_UPPER", "SAME_LOWER", "VALID"]))
    same = auto_pad.startswith("SAME")
    kernel = [draw(st.integers(1, 4)) for _ in range(axes)]
    dilations = [1 if same else draw(st.integers(1, 3)) for _ in range(axes)]
    spans = [dilation * (k - 1) + 1 for k, dilation in zip(kernel, dilations, strict=True)]
    image = [draw(st.integers(span, span + 6)) for span in spans]
    strides = [draw(st.integers(1, span if same else 3)) for span in spans]
    attributes: dict[str, Any] = {"dilations": dilations, "strides": strides}
    if auto_pad == "NOTSET":
        limits = [min(k, span) - 1 if pooling else 3 for k, span in zip(kernel, spans, strict=True)]
        attributes["pads"] = [draw(st.integers(0, limit)) for limit in limits * 2]
    else:
        attributes["auto_pad"] = auto_pad
    return image, kernel, attributes


@settings(max_examples=150, deadline=None)
@given(data=st.data(), axes=st.integers(1, 2), groups=st.integers(1, 3))
def test_convolution(data: st.DataObject, axes: int, groups: int) -> None:
    image, kernel, attributes = data.draw(windows(axes, pooling=False))
    inputs, outputs = data.draw(st.integers(1, 3)), data.draw(st.integers(1, 2))
    shape = (groups * outputs, inputs, *kernel)
    weights = np.random.default_rng(1).normal(size=shape).astype(np.float32)
    node = helper.make_node("Conv", ["x", "w"], ["y"], group=groups, **attributes)
    model = model_of([node], [floats("x", [1, groups * inputs, *image])], [floats("y", None)], {"w": weights})
    with TemporaryDirectory() as folder:
        check_import(model, Path(folder))


@settings(max_examples=200, deadline=None)
@given(data=st.data(), axes=st.integers(1, 3), average=st.booleans(), ceil=st.booleans(), counted=st.booleans())
def test_pooling(data: st.DataObject, axes: int, average: bool, ceil: bool, counted: bool) -> None:
    image, kernel, attributes = data.draw(windows(axes, pooling=True))
    attributes |= {"kernel_shape": kernel}
    if "auto_pad" not in attributes:
        attributes |= {"ceil_mode": int(ceil)}
    if average:
        attributes |= {"count_include_pad": int(counted)}
    node = helper.make_node("AveragePool" if average else "MaxPool", ["x"], ["y"], **attributes)
    model = model_of([node], [floats("x", [1, 2, *image])], [floats("y", None)])
    with TemporaryDirectory() as folder:
        check_import(model, Path(folder))
