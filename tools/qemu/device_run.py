# SPDX-License-Identifier: Apache-2.0
"""Runs in QEMU an image that is made for the device: its console is the board's UART.

A device can't end its emulator. Its image says that it ends, as `stowage_hal/exit.h` has it, and is stopped then.
"""

from __future__ import annotations

import subprocess
import threading
from pathlib import Path

from tools.qemu.command import image_command, read_execution
from tools.qemu.run import Outcome, TimeLimit

_SERIAL = ("-serial", "stdio")
_FAREWELL = "stowage: exit "


def run_device_image(image: Path, execution: Path, qemu: str, *, time_limit_s: float) -> Outcome:
    """Runs an image that is made for the device; the outcome's status is the one that the image tells.

    Args:
        image: the ELF.
        execution: the board's execution file.
        qemu: the emulator.
        time_limit_s: real time after which the image is stopped.

    Raises:
        ImageNotRun: no emulator runs the board.
        TimeLimit: the image didn't say that it ends in time.
    """
    board = read_execution(execution)
    with image_command(board, image, qemu, _SERIAL) as command:
        output, status = _run(command, time_limit_s)
    if status is None:
        sentence = f"{board['board']} image {image.name} had not said after {time_limit_s:g} s that it ends"
        raise TimeLimit(sentence, output)
    return Outcome(status, output, "")


def _run(command: list[str], time_limit_s: float) -> tuple[str, int | None]:
    with subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        timer = threading.Timer(time_limit_s, process.kill)
        timer.start()
        try:
            return _until_farewell(process)
        finally:
            timer.cancel()
            process.kill()


def _until_farewell(process: subprocess.Popen[str]) -> tuple[str, int | None]:
    assert process.stdout is not None
    output = ""
    for line in process.stdout:
        text, farewell, status = line.partition(_FAREWELL)
        output += text
        if farewell and status.strip().isdigit():
            return output, int(status)
    return output, None
