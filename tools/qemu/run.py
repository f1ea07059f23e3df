# SPDX-License-Identifier: Apache-2.0
"""Runs an image as its board's execution file says, in QEMU or on the host, under a time limit.

As a program, this prints what the image writes to its console and ends with the image's status: 125 for a fault on the
board, 124 where the image was stopped at the time limit, 123 where it could not be run.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tools.qemu.command import ImageNotRun, image_command, read_execution

STATUS_NOT_RUN, STATUS_TIME_LIMIT = 123, 124

# Standard output is the image's console and nothing else; QEMU's own messages go to standard error.
_SEMIHOSTING = (
    *("-chardev", "stdio,id=console"),
    *("-semihosting-config", "enable=on,target=native,chardev=console"),
    *("-serial", "null"),
)


class TimeLimit(Exception):
    """The image was stopped since it had not ended in time.

    Attributes:
        output: what it had written until then.
    """

    def __init__(self, sentence: str, output: str) -> None:
        super().__init__(sentence)
        self.output = output


@dataclass(frozen=True, slots=True)
class Outcome:
    """How an image ended.

    Attributes:
        status: its exit status; negative where a signal ended the emulator, as at a processor's lock-up.
        output: what it wrote to its console.
        diagnosis: what the emulator or the host said besides.
    """

    status: int
    output: str
    diagnosis: str


def run_image(
    image: Path, execution: Path, qemu: str = "", *, time_limit_s: float, folder: Path | None = None
) -> Outcome:
    """Runs an image that ends by itself: one with the port for semihosting, or a program of the host.

    Args:
        image: the ELF.
        execution: the board's execution file.
        qemu: the emulator; the host needs none.
        time_limit_s: real time after which the image is stopped.
        folder: where to run it; paths in `stowage_hal/host_file.h` are relative to this.

    Raises:
        ImageNotRun: the board runs nowhere but on the device, or the emulator can't be started.
        TimeLimit: the image didn't end in time.
    """
    board = read_execution(execution)
    name = f"{board['board']} image {image.name}"
    with image_command(board, image, qemu, _SEMIHOSTING) as command:
        try:
            process = subprocess.run(
                command, stdin=subprocess.DEVNULL, capture_output=True, timeout=time_limit_s, cwd=folder, check=False
            )
        except subprocess.TimeoutExpired as expired:
            output = _text(expired.stdout)
            raise TimeLimit(
                f"{name} had not ended after {time_limit_s:g} s; {_last_words(output)}", output
            ) from expired
        except OSError as error:
            raise ImageNotRun(f"{name} can't be run: {command[0]}: {error.strerror}") from error
    return Outcome(process.returncode, _text(process.stdout), _text(process.stderr))


def _text(output: bytes | None) -> str:
    return (output or b"").decode("utf-8", errors="replace")


def _last_words(output: str) -> str:
    last = output.rstrip().rpartition("\n")[2]
    return f'the last line that it wrote is "{last}"' if last else "it had written nothing"


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description="Run an image on its board's emulator, or on the host.")
    parser.add_argument("image", type=Path, metavar="ELF")
    parser.add_argument("--execution", required=True, type=Path, metavar="JSON", help="the board's execution file")
    parser.add_argument("--qemu", default="", help="the emulator, qemu-system-arm")
    parser.add_argument("--time-limit", type=float, default=60, metavar="SECONDS")
    return parser


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line; returns the exit status."""
    options = _parser().parse_args(arguments)
    try:
        outcome = run_image(options.image, options.execution, options.qemu, time_limit_s=options.time_limit)
    except TimeLimit as limit:
        print(limit.output, end="")
        print(f"stowage: {limit}", file=sys.stderr)
        return STATUS_TIME_LIMIT
    except ImageNotRun as failure:
        print(f"stowage: {failure}", file=sys.stderr)
        return STATUS_NOT_RUN
    print(outcome.output, end="")
    print(outcome.diagnosis, end="", file=sys.stderr)
    return outcome.status if outcome.status >= 0 else 128 - outcome.status


if __name__ == "__main__":
    sys.exit(main())
