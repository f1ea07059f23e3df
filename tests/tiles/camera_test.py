# SPDX-License-Identifier: Apache-2.0
"""A camera's rows go through a model as firmware, on the host and on an emulated board."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from tools.qemu.run import run_image


@pytest.mark.parametrize("board", ["HOST", "MPS2_AN386"])
def test_rows_of_a_camera_that_delivers_and_of_one_that_stops(board: str) -> None:
    image, execution = (Path(os.environ[f"{board}_{kind}"]) for kind in ("IMAGE", "EXECUTION"))
    outcome = run_image(image, execution, os.environ["QEMU"], time_limit_s=60)
    assert (outcome.status, outcome.output) == (0, "rows done\n"), outcome.diagnosis


@pytest.mark.parametrize(("language", "source"), [("starlark", "BUILD.bazel"), ("c", "camera.c")])
def test_the_document_shows_what_runs_here(language: str, source: str) -> None:
    shown = re.findall(rf"^```{language}\n(.*?)^```$", Path("docs/tiles.md").read_text(), re.MULTILINE | re.DOTALL)
    assert shown
    for block in shown:
        assert block in Path("tests/tiles", source).read_text(), block
