# SPDX-License-Identifier: Apache-2.0
"""Vector instructions in the emulator, which the kernels' trials on the machine's own core do not have."""

from __future__ import annotations

import os
from pathlib import Path

from tools.qemu.run import run_image


def test_vectors_make_what_c_makes() -> None:
    image, execution = (Path(os.environ[name]) for name in ("IMAGE", "EXECUTION"))
    outcome = run_image(image, execution, os.environ["QEMU"], time_limit_s=60.0)
    assert outcome.output == "ok four output elements at once\nok eight channels at once\n", outcome
    assert outcome.status == 0
