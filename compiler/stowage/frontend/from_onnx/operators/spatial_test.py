# SPDX-License-Identifier: Apache-2.0
"""Operators on signals, images and volumes, in every form, compute what ONNX Runtime does."""

from __future__ import annotations

from pathlib import Path

import pytest

from stowage.frontend.from_onnx.node_case import Case

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
CASES = [*POOLS, *NORMALISATIONS]


@pytest.mark.parametrize("case", CASES, ids=[f"{index}-{case.id}" for index, case in enumerate(CASES)])
def test_computes_what_onnx_runtime_does(case: Case, tmp_path: Path) -> None:
    case.check(tmp_path)
