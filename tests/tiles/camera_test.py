# SPDX-License-Identifier: Apache-2.0
"""A camera's rows go through a model as firmware, on the host and on an emulated board."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tools.qemu.run import run_image


@pytest.mark.parametrize("board", ["HOST", "MPS2_AN386"])
def test_rows_of_a_camera_that_delivers_and_of_one_that_stops(board: str) -> None:
    image, execution = (Path(os.environ[f"{board}_{kind}"]) for kind in ("IMAGE", "EXECUTION"))
    outcome = run_image(image, execution, os.environ["QEMU"], time_limit_s=60)
    assert (outcome.status, outcome.output) == (0, "rows done\n"), outcome.diagnosis
