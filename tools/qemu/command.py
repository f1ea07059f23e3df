# SPDX-License-Identifier: Apache-2.0
"""The command that runs an image, from its board's execution file.

That file is the JSON that `compiler/stowage/target/qemu_arguments.py` makes of a board file.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from elftools.elf.elffile import ELFFile

_QUIET = ("-display", "none", "-monitor", "none", "-nodefaults")


class ImageNotRun(Exception):
    """The image can't be run, for a reason that is one sentence."""


def read_execution(execution: Path) -> dict[str, Any]:
    """What a board's execution file says."""
    content: dict[str, Any] = json.loads(execution.read_text(encoding="utf-8"))
    return content


@contextmanager
def image_command(board: dict[str, Any], image: Path, qemu: str, console: Sequence[str]) -> Iterator[list[str]]:
    """The command that runs an image; it serves within the context alone.

    Args:
        board: what the board's execution file says.
        image: the ELF.
        qemu: the emulator; the host needs none.
        console: QEMU's arguments that lead the image's console to standard output.

    Raises:
        ImageNotRun: the board runs nowhere but on the device, or the image doesn't start where the board says.
    """
    if board["exec"] == "host":
        yield [str(image.resolve())]
        return
    if board["exec"] != "qemu":
        raise ImageNotRun(f"board {board['board']} has no emulator: its images run on the device alone")
    with _boot_arguments(board["boot"], image) as boot:
        yield [
            str(Path(qemu).resolve()),
            *board["arguments"],
            *_QUIET,
            *console,
            *boot,
            "-kernel",
            str(image.resolve()),
        ]


@contextmanager
def _boot_arguments(boot: dict[str, int] | None, image: Path) -> Iterator[Sequence[str]]:
    """Stands in for what starts an image that doesn't lie where its core looks at reset: a SoftDevice, a bootloader.

    QEMU reads a processor's first stack pointer and entry from what it loads from files, hence the file.
    """
    if not boot:
        yield ()
        return
    with tempfile.NamedTemporaryFile(prefix="boot_vectors_") as file:
        file.write(_first_vectors(image, boot["vectors"]))
        file.flush()
        yield ("-device", f"loader,file={file.name},addr={boot['reset_address']:#x},force-raw=on")


def _first_vectors(image: Path, address: int) -> bytes:
    """The stack pointer and the entry that the vector table at `address` begins with."""
    with image.open("rb") as file:
        for segment in ELFFile(file).iter_segments("PT_LOAD"):
            offset = address - segment["p_paddr"]
            if offset >= 0 and offset + 8 <= segment["p_filesz"]:
                return bytes(segment.data()[offset : offset + 8])
    raise ImageNotRun(f"{image.name} has no vector table at {address:#x}, where its board starts images")
