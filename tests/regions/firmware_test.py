# SPDX-License-Identifier: Apache-2.0
"""A firmware whose model has arenas in two regions runs on an emulated board, and each region has its budget."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

from tools.qemu.run import run_image

LAUNCHER = Path("tests/regions/digits_fw_budget.sh")
_ROW = re.compile(r"^  ram in (\w+) +([\d,]+)", re.MULTILINE)


def judged(*arguments: str) -> subprocess.CompletedProcess[str]:
    """The budget test, with further budgets; of one given twice the last one counts."""
    return subprocess.run([LAUNCHER, *arguments], capture_output=True, text=True, check=False)


def test_it_runs_in_both_regions() -> None:
    image = next(Path(path) for path in os.environ["IMAGE"].split() if path.endswith(".elf"))
    outcome = run_image(image, Path(os.environ["EXECUTION"]), os.environ["QEMU"], time_limit_s=60)
    assert (outcome.status, outcome.output) == (0, "wrong 0\n"), outcome.diagnosis


def test_each_arena_is_counted_in_its_region() -> None:
    table = judged().stdout
    assert table.endswith("All budgets are kept.\n")
    tcm, main = (table.index(f"\n  ram in {region}, ") for region in ("dtcm", "ssram23"))
    assert tcm < table.index("digits_fast_arena_fast", tcm) < main
    assert table.index("  digits_fast_arena\n", main) > main


def test_one_byte_over_the_budget_of_a_region_fails_alone() -> None:
    figures = {name: int(figure.replace(",", "")) for name, figure in _ROW.findall(judged().stdout)}
    exact = [f"--ram-in={name}={figure}" for name, figure in figures.items()]
    assert len(exact) == 2 and judged(*exact).returncode == 0
    over = judged(*exact, f"--ram-in=dtcm={figures['dtcm'] - 1}")
    assert over.returncode == 1
    assert over.stdout.count(" over its budget") == 1
    assert "ram in dtcm is over its budget by 1 B; the largest contributor is stack." in over.stdout


def test_a_region_that_the_board_has_not_is_refused() -> None:
    refused = judged("--ram-in=isram=1KiB")
    assert refused.returncode == 1
    assert 'board mps2_an500 has no writable region "isram", but dtcm, ssram23, psram' in refused.stderr
