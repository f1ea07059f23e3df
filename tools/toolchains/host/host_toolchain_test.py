# SPDX-License-Identifier: Apache-2.0
"""The host's toolchain: sanitizers that end the program, and floats that round as on the boards."""

from __future__ import annotations

import struct
import subprocess

import pytest


def run(build: str, mistake: str) -> subprocess.CompletedProcess[str]:
    """Run one of the two builds of the program with mistakes."""
    return subprocess.run([f"tools/toolchains/host/mistakes_{build}", mistake], capture_output=True, text=True)


def single(value: float) -> float:
    """Round to float32."""
    return float(struct.unpack("f", struct.pack("f", value))[0])


@pytest.mark.parametrize(
    ("mistake", "finding"),
    [("overrun", "AddressSanitizer: global-buffer-overflow"), ("overflow", "signed integer overflow")],
)
def test_sanitizers_end_the_program_at_a_mistake(mistake: str, finding: str) -> None:
    finished = run("sanitized", mistake)
    assert finished.returncode != 0
    assert finding in finished.stderr
    assert "done" not in finished.stdout


@pytest.mark.parametrize("mistake", ["overrun", "overflow"])
def test_same_mistake_goes_unseen_without(mistake: str) -> None:
    assert run("unsanitized", mistake).returncode == 0


def test_sanitizers_are_silent_where_there_is_no_mistake() -> None:
    finished = run("sanitized", "none")
    assert (finished.returncode, finished.stderr) == (0, "")


@pytest.mark.parametrize("build", ["sanitized", "unsanitized"])
def test_float_operations_round_one_by_one(build: str) -> None:
    product = single(single(16777217.0) * single(16777215.0))
    assert float.fromhex(run(build, "none").stdout.split()[1]) == single(product - 1.0)
