# SPDX-License-Identifier: Apache-2.0
"""The gate as it is run: launchers of real budget tests, over images of the hermetic compiler, in QEMU.

A launcher passes further arguments on, and of a budget given twice the last one counts, so that each can be tried with
limits that are taken from its own figures.
"""

from __future__ import annotations

import os
import re
import subprocess
from functools import cache
from pathlib import Path

FOLDER = Path("tools/budget")
_ROW = re.compile(r"^  (flash|ram|stack|instructions) +([\d,]+)", re.MULTILINE)
NAMES = ["flash", "ram", "stack", "instructions"]


def _run(launcher: str, *arguments: str, workspace: str = "") -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "BUILD_WORKSPACE_DIRECTORY": workspace}
    command = [str(FOLDER / launcher), *arguments]
    return subprocess.run(command, capture_output=True, text=True, check=False, env=environment)


@cache
def _figures() -> dict[str, int]:
    """What the honest firmware takes."""
    judged = _run("honest_budget.sh")
    assert judged.returncode == 0, judged.stderr
    return {name: int(figure.replace(",", "")) for name, figure in _ROW.findall(judged.stdout)}


def test_the_figures_are_of_a_size_that_a_firmware_has() -> None:
    figures = _figures()
    assert list(figures) == NAMES
    assert 8_000 < figures["flash"] < 32_000
    assert 4096 + 512 < figures["ram"] < 8_192
    assert 200 < figures["stack"] < 1024
    assert 10_000 < figures["instructions"] < 1_000_000


def _limits(below: int) -> list[str]:
    """Budgets of what the honest firmware takes, less so much."""
    return [word for name, figure in _figures().items() for word in (f"--{name}", str(figure - below))]


def test_exactly_at_the_limits_passes() -> None:
    judged = _run("honest_budget.sh", *_limits(0))
    assert judged.returncode == 0
    assert judged.stdout.endswith("All budgets are kept.\n")


def test_one_byte_over_fails_alone() -> None:
    judged = _run("honest_budget.sh", *_limits(0), "--flash", str(_figures()["flash"] - 1))
    assert judged.returncode == 1
    assert judged.stdout.count(" over its budget") == 1


def test_each_one_over_is_told_with_its_culprit() -> None:
    judged = _run("honest_budget.sh", *_limits(1))
    assert judged.returncode == 1
    told = re.findall(r"^(\w+) is over its budget by 1 (\w+); the largest contributor is (\w+)\.$", judged.stdout, re.M)
    (flash, unit, weights), *others = told
    assert (flash, unit) == ("flash", "B")
    assert re.fullmatch(r"digits_(\w+_)?body_conv_weights", weights)
    assert others == [
        ("ram", "B", "stack"),
        ("stack", "B", "digits_run"),
        ("instructions", "instructions", "digits_run"),
    ]
    assert judged.stdout.endswith("To accept the new figures: bazel run //tools/budget:honest_budget.accept\n")


def test_the_table_is_the_same_on_pass_and_failure() -> None:
    kept, broken = _run("honest_budget.sh"), _run("honest_budget.sh", "--flash", "1")
    assert [line for line in kept.stdout.splitlines() if "weights of digits" in line]
    rows = kept.stdout.splitlines()[4:-1]
    assert rows == broken.stdout.splitlines()[4:-2]


def test_a_model_that_is_linked_out_is_refused() -> None:
    judged = _run("idle_budget.sh")
    assert judged.returncode == 1
    assert "depends on the model digits, but digits_run is not in its image" in judged.stderr


def test_a_budget_of_instructions_needs_a_model() -> None:
    assert _run("without_model_budget.sh").returncode == 0
    judged = _run("without_model_budget.sh", "--instructions", "6M")
    assert judged.returncode == 1
    assert "no model whose run could be counted" in judged.stderr


def test_a_stack_that_is_too_small_is_refused() -> None:
    judged = _run("small_stack_budget.sh")
    assert judged.returncode == 1
    assert "the image sets only 256 B aside for it" in judged.stderr


def test_a_budget_that_is_no_quantity_is_refused() -> None:
    judged = _run("honest_budget.sh", "--flash", "24KB")
    assert judged.returncode == 1
    assert judged.stderr.startswith('stowage: //tools/budget:honest: "24KB" is no quantity')


def test_accept_writes_the_figure_that_then_passes(tmp_path: Path) -> None:
    build = tmp_path / FOLDER / "BUILD.bazel"
    build.parent.mkdir(parents=True)
    build.write_text('stowage_budget_test(\n    name = "honest_budget",\n    flash = "8000",\n)\n')
    accepted = _run("honest_budget.accept.sh", "--flash", "8000", workspace=str(tmp_path))
    assert accepted.returncode == 0, accepted.stderr
    written = re.search(r'flash = "(\d+)"', build.read_text())
    assert written is not None
    assert int(written[1]) == _figures()["flash"]
    assert _run("honest_budget.sh", "--flash", written[1]).returncode == 0
