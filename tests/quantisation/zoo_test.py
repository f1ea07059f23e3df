# SPDX-License-Identifier: Apache-2.0
"""Float models of the zoo, where STOWAGE_ZOO names one: quantised here they err no more than by ONNX Runtime's tool."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.quantisation.zoo_error import zoo_error
from tests.quantisation.zoo_table import PAGE, float_models, rows_of

MODELS = float_models(Path(os.environ.get("STOWAGE_ZOO", "/nonexistent")))
_SAME = 0.05
"""The last digits of sums differ between processors, and with them now and then a rounding."""


@pytest.mark.skipif(not MODELS, reason="STOWAGE_ZOO does not name a folder of models")
@pytest.mark.parametrize("folder", MODELS or [Path()], ids=lambda folder: folder.name)
def test_error_is_no_larger_than_onnx_runtimes_and_as_documented(folder: Path) -> None:
    found, documented = zoo_error(folder), rows_of(PAGE.read_text(encoding="utf-8"))[folder.name]
    if found.theirs is not None:
        assert found.ours.rms <= found.theirs.rms
        assert float(documented[3]) == pytest.approx(found.theirs.rms, rel=0.01)
    assert float(documented[2]) == pytest.approx(found.ours.rms, rel=_SAME)
    assert documented[6] == f"{100 * found.outcome.integer_macs / found.outcome.macs:.1f} %"
