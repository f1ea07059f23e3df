# SPDX-License-Identifier: Apache-2.0
"""Take a program out of a wheel: `wheel_script WHEEL NAME OUTPUT`.

A wheel's scripts belong in an environment's bin folder, and the Python rules have no such folder.
"""

from __future__ import annotations

import sys
import zipfile
from pathlib import Path


def extract_script(wheel: Path, name: str, output: Path) -> None:
    """Write the script of that name to the output, executable."""
    with zipfile.ZipFile(wheel) as archive:
        (member,) = [member for member in archive.namelist() if member.endswith(f".data/scripts/{name}")]
        output.write_bytes(archive.read(member))
    output.chmod(0o755)


if __name__ == "__main__":
    extract_script(Path(sys.argv[1]), sys.argv[2], Path(sys.argv[3]))
