# SPDX-License-Identifier: Apache-2.0
"""One entry point runs a stream in chunks of several lengths, and refuses every size that is not planned."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tools.qemu.run import run_image


@pytest.mark.parametrize("board", ["HOST", "MPS2_AN386"])
def test_runs_of_several_sizes_and_refusals_of_others(board: str) -> None:
    image, execution = (Path(os.environ[f"{board}_{kind}"]) for kind in ("IMAGE", "EXECUTION"))
    outcome = run_image(image, execution, os.environ["QEMU"], time_limit_s=60)
    assert (outcome.status, outcome.output) == (0, "sizes done\n"), outcome.diagnosis
