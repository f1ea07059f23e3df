# SPDX-License-Identifier: Apache-2.0
"""The emulator starts, knows the boards' machines, and runs an image of each core."""

from __future__ import annotations

import os
import subprocess

import pytest

MACHINES = {
    "mps2-an386": "cortex_m4f",
    "mps2-an500": "cortex_m7",
    "mps3-an547": "cortex_m55",
    "microbit": "cortex_m0",
}


def qemu(*arguments: str) -> subprocess.CompletedProcess[str]:
    """Run the emulator, under a time limit, and return how it ended."""
    command = [os.environ["QEMU"], *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, stdin=subprocess.DEVNULL)


@pytest.mark.parametrize("machine", [*MACHINES, "mps2-an505", "mps2-an521"])
def test_machine_is_known(machine: str) -> None:
    assert f"\n{machine} " in qemu("-machine", "help").stdout


@pytest.mark.parametrize("machine", MACHINES)
def test_image_runs_and_exits(machine: str) -> None:
    core = MACHINES[machine]
    image = f"tools/toolchains/{core}_probe.elf"
    semihosting = ("-semihosting-config", "enable=on,target=native")
    finished = qemu("-machine", machine, "-kernel", image, "-nographic", "-icount", "shift=0", *semihosting)
    assert finished.returncode == 0, finished.stderr
    assert f"hello from {core}\n" in finished.stderr
