# SPDX-License-Identifier: Apache-2.0
"""Real models, where the machine has them: read, or refused for an operator that is not supported yet."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from stowage.errors import UnsupportedModel
from stowage.frontend.onnx_model import read_onnx
from stowage.ir.verify import verify

ZOO = Path(os.environ.get("STOWAGE_ZOO", "/nonexistent"))
MODELS = sorted(ZOO.glob("*/model*.onnx"))


@pytest.mark.skipif(not MODELS, reason="STOWAGE_ZOO does not name a folder of models")
@pytest.mark.parametrize("path", MODELS or [Path()], ids=lambda path: f"{path.parent.name}/{path.name}")
def test_model_is_read_or_refused(path: Path) -> None:
    try:
        verify(read_onnx(path), "the importer")
    except UnsupportedModel as refusal:
        assert "no importer for the operator" in str(refusal) or "supported on constants alone" in str(refusal)
