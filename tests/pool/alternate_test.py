# SPDX-License-Identifier: Apache-2.0
"""An image that runs the models of a pool alternately ends well on the host and on the emulated board."""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from tools.qemu.run import run_image


@pytest.mark.parametrize("board", ["HOST", "MPS2_AN386"])
def test_models_give_what_they_give_alone_and_leave_the_rest_alone(board: str) -> None:
    image, execution = (Path(os.environ[f"{board}_{kind}"]) for kind in ("IMAGE", "EXECUTION"))
    outcome = run_image(image, execution, os.environ["QEMU"], time_limit_s=60)
    assert (outcome.status, outcome.output) == (0, "rounds done\n"), outcome.diagnosis


def test_the_report_says_who_has_which_bytes_when() -> None:
    record = json.loads(Path("tests/pool/speech.stowage/speech_memory.json").read_text())
    spans = {span["what"]: (span["size_bytes"], span["when"]) for span in record["spans"]}
    assert spans == {
        'state "frames" of first': (128, "always"),
        'state "hidden" of first': (20, "always"),
        'state "frames" of second': (128, "always"),
        'state "hidden" of second': (20, "always"),
        "the caller's audio": (666, "always"),
        "the caller's spectrum": (400, "between runs"),
    }
    assert record["arena_bytes"] == record["kept_bytes"] + max(model["run_bytes"] for model in record["models"])
    assert record["makes_peak"] == "digits"
