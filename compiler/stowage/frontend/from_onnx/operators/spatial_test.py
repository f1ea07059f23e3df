# SPDX-License-Identifier: Apache-2.0
"""Operators on signals, images and volumes, in every form, compute what ONNX Runtime does."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from stowage.frontend.from_onnx.node_case import Case, ints, reals

POOLS = [
    *(Case("LpPool", ((2, 3, 6, 7),), (), {"kernel_shape": [2, 3], "strides": [1, 2], "p": p}) for p in (1, 2, 3)),
    Case("LpPool", ((2, 3, 9),), (), {"kernel_shape": [3], "pads": [2, 2], "dilations": [2]}),
    Case("LpPool", ((1, 2, 5, 4, 6),), (), {"kernel_shape": [2, 2, 3], "auto_pad": "SAME_LOWER"}),
    *(Case("GlobalLpPool", (shape,), (), {"p": p}) for shape in ((2, 3, 4), (2, 3, 4, 3, 2)) for p in (1, 2, 3)),
    *(Case(op, ((2, 3, 4, 3, 2),)) for op in ("GlobalAveragePool", "GlobalMaxPool")),
    Case("MaxPool", (((1, 2, 5, 5), "uint8"),), (), {"kernel_shape": [2, 2]}),
]
NORMALISATIONS = [
    Case("InstanceNormalization", ((2, 3, 4, 5), (3,), (3,))),
    Case("InstanceNormalization", ((2, 3, 4), (3,), (3,))),
    Case("LayerNormalization", ((2, 3, 4), (4,), (4,)), (), {"axis": -1}, 17, 3),
    Case("LayerNormalization", ((2, 3, 4), (3, 4), (3, 4)), (), {"axis": 1, "epsilon": 0.1}, 17, 3),
]
FIVE = (1, 4, 4, 5, 6)
CONVOLUTIONS = [
    Case("Conv", ((2, 3, 5, 6), (4, 3, 2, 3), (4,)), (), {"pads": [1, 0, 1, 2], "strides": [2, 1]}),
    Case("Conv", ((2, 4, 7), (4, 2, 3)), (), {"group": 2, "dilations": [2]}),
    Case("Conv", (FIVE,), (reals(6, 2, 2, 3, 3), reals(6)), {"group": 2, "auto_pad": "SAME_UPPER"}),
    Case("Conv", (FIVE,), (reals(2, 4, 2, 3, 1),), {"strides": [1, 2, 3], "pads": [0, 1, 2, 1, 0, 1]}),
    Case("ConvTranspose", ((1, 2, 4, 5), (2, 3, 3, 3), (3,)), (), {"strides": [2, 2]}),
    Case(
        "ConvTranspose",
        (FIVE,),
        (reals(4, 2, 2, 3, 1),),
        {"strides": [1, 2, 3], "pads": [0, 1, 0, 1, 0, 1], "group": 2},
    ),
    Case("Col2Im", ((1, 10, 5),), (ints(5, 5), ints(1, 5)), {"pads": [0, 1, 0, 1], "strides": [1, 3]}, 18),
    Case("Col2Im", ((2, 9, 4),), (ints(5, 5), ints(3, 3)), {"strides": [2, 2]}, 18),
    Case("Col2Im", ((1, 4, 3),), (ints(3, 4, 5), ints(2, 2, 1)), {"dilations": [2, 1, 1], "strides": [1, 3, 2]}, 18),
]
NO_ROI, UNCHANGED = reals(0), reals(0)
WIDER, NARROWER = np.array([1, 1, 2, 1.5], np.float32), np.array([1, 1, 0.75, 0.5], np.float32)
CROP = {"coordinate_transformation_mode": "tf_crop_and_resize", "extrapolation_value": 3.0}
RESIZES = [
    *(
        Case("Resize", ((2, 3, 4, 6),), (NO_ROI, scales), {"mode": "cubic", **attributes})
        for scales in (WIDER, NARROWER)
        for attributes in (
            {},
            {"coordinate_transformation_mode": "align_corners"},
            {"cubic_coeff_a": -0.5, "exclude_outside": 1, "coordinate_transformation_mode": "asymmetric"},
        )
    ),
    Case("Resize", ((1, 2, 3, 4, 5),), (NO_ROI, UNCHANGED, ints(1, 2, 5, 3, 7)), {"mode": "linear"}),
    Case("Resize", ((1, 2, 3, 4, 5),), (NO_ROI, UNCHANGED, ints(1, 2, 5, 3, 7))),
    Case("Resize", (((2, 3, 4), np.int32),), (NO_ROI, UNCHANGED, ints(3, 3, 2))),
    *(
        Case(
            "Resize",
            ((1, 2, 5, 6),),
            (np.array(roi, np.float32), UNCHANGED, ints(1, 2, 3, 4)),
            {"mode": "linear", **CROP},
        )
        for roi in ([0, 0, 0.2, 0.3, 1, 1, 0.7, 0.6], [0, 0, -0.2, 0.5, 1, 1, 0.9, 1.4])
    ),
]
SAMPLINGS = [
    *(
        Case(
            "GridSample",
            ((2, 3, 4, 5), (2, 3, 6, 2)),
            (),
            {"mode": mode, "padding_mode": padding, "align_corners": align},
        )
        for mode in ("linear", "nearest", "cubic")
        for padding in ("zeros", "border", "reflection")
        for align in (0, 1)
    ),
    Case("GridSample", ((1, 2, 3, 4, 5), (1, 2, 3, 2, 3))),
    Case("GridSample", ((1, 2, 4, 5), (1, 3, 2, 2)), (), {"mode": "bicubic", "padding_mode": "border"}, 16),
    *(
        Case(
            "RoiAlign",
            ((2, 3, 7, 6),),
            (np.array([[0, 0, 4, 5], [1.5, 2, 3, 2.5], [-1, 3, 9, 12]], np.float32), ints(1, 0, 1)),
            {"output_height": 3, "output_width": 2, "sampling_ratio": 2, "spatial_scale": 0.75, **attributes},
        )
        for attributes in ({}, {"mode": "max"}, {"coordinate_transformation_mode": "output_half_pixel"})
    ),
]
UNPOOLS = [
    *(
        Case(
            "MaxPool", (shape,), (), {"kernel_shape": [2] * axes, "strides": [2] * axes, "storage_order": order}, 12, 2
        )
        for axes, shape in enumerate(((2, 3, 7), (2, 3, 5, 7), (1, 2, 4, 5, 6)), 1)
        for order in (0, 1)
    ),
    Case("MaxPool", ((1, 2, 6, 5),), (), {"kernel_shape": [3, 2], "pads": [1, 0, 2, 1], "dilations": [2, 1]}, 12, 2),
    Case("MaxPool", ((1, 2, 6, 5),), (), {"kernel_shape": [3, 2], "ceil_mode": 1, "strides": [2, 2]}, 12, 2),
    Case("MaxPool", (((1, 2, 6, 5), np.int8),), (), {"kernel_shape": [2, 2]}, 12, 2),
    Case(
        "MaxUnpool",
        ((1, 1, 2, 2),),
        (ints(5, 7, 13, 15).reshape(1, 1, 2, 2),),
        {"kernel_shape": [2, 2], "strides": [2, 2]},
    ),
]
CASES = [*UNPOOLS, *SAMPLINGS, *RESIZES, *CONVOLUTIONS, *POOLS, *NORMALISATIONS]


@pytest.mark.parametrize("case", CASES, ids=[f"{index}-{case.id}" for index, case in enumerate(CASES)])
def test_computes_what_onnx_runtime_does(case: Case, tmp_path: Path) -> None:
    case.check(tmp_path)
