# SPDX-License-Identifier: Apache-2.0
"""A board's NPU gives what its processor gives, refuses what is wrong, and goes on."""

from __future__ import annotations

import os
from pathlib import Path

from tools.qemu.run import run_image

EXECUTION = Path(os.environ["EXECUTION"])
QEMU = os.environ["QEMU"]
SUITE = Path(os.environ["SUITE"])

LINES = [
    "ok digits_npu",
    "ok the NPU counts its cycles",
    "ok branches_npu",
    "ok the NPU counts its cycles",
    "ok a stream that is wrong is refused with its reason",
    "ok digits_npu",
    "ok the NPU counts its cycles",
    "ok an error in the middle of a run ends it with a status",
    "ok the NPU had begun",
    "ok branches_npu",
    "ok the NPU counts its cycles",
    "end of suite",
]


def test_the_suite_passes() -> None:
    outcome = run_image(SUITE, EXECUTION, QEMU, time_limit_s=60.0)
    assert outcome.output.splitlines() == LINES
    assert outcome.status == 0
