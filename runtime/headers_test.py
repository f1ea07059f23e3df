# SPDX-License-Identifier: Apache-2.0
"""One C file may include any headers of the runtime, in any order: no two define the same name."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

INCLUDE = Path(__file__).absolute().parent / "include"
HAL_INCLUDE = Path(__file__).absolute().parents[1] / "hal" / "include"
HEADERS = sorted(str(header.relative_to(INCLUDE)) for header in INCLUDE.glob("stowage/**/*.h"))


@pytest.mark.parametrize("headers", [HEADERS, HEADERS[::-1]], ids=["forward", "backward"])
def test_all_in_one_file(headers: list[str], tmp_path: Path) -> None:
    assert len(headers) > 40
    source = tmp_path / "all.c"
    source.write_text("".join(f'#include "{header}"\n' for header in headers))
    flags = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-Wno-unused", f"-I{INCLUDE}", f"-I{HAL_INCLUDE}"]
    command = [os.environ.get("CC", "cc"), *flags]
    done = subprocess.run([*command, "-fsyntax-only", source], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
