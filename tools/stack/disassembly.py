# SPDX-License-Identifier: Apache-2.0
"""The stack bound of an ELF file, by way of objdump."""

from __future__ import annotations

import subprocess
from pathlib import Path

from tools.stack.image_stack import ImageStack, image_stack
from tools.stack.listing import functions


def stack_of(elf: Path, objdump: Path, float_unit: bool) -> ImageStack:
    """The most stack that an image can take; see `image_stack` for what it raises."""
    command = [str(objdump), "--disassemble", "--no-show-raw-insn", str(elf)]
    listing = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return image_stack(functions(listing.splitlines()), float_unit)
