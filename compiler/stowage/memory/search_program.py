# SPDX-License-Identifier: Apache-2.0
"""The program of the exact search: built by Bazel beside its sources, elsewhere by the C compiler, once a process."""

from __future__ import annotations

import atexit
import functools
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from stowage.errors import StowageError

_SEARCH = Path(__file__).absolute().with_name("search")
_PROGRAM = "placement_search"


@functools.cache
def search_program() -> str:
    """The path of the program.

    Raises:
        StowageError: Bazel has not built it and there is no C compiler.
    """
    built = _SEARCH / _PROGRAM
    return str(built) if built.exists() else _compiled()


def _compiled() -> str:
    """The path of a program that is gone when this process ends."""
    folder = tempfile.mkdtemp(prefix="stowage_search_")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    program = str(Path(folder, _PROGRAM))
    compiler, sources = os.environ.get("CC", "cc"), sorted(map(str, _SEARCH.glob("*.c")))
    try:
        subprocess.run([compiler, "-std=c99", "-O2", *sources, "-o", program], check=True, capture_output=True)
    except (OSError, subprocess.CalledProcessError) as failure:
        raise StowageError(
            where="placement search",
            reason=f'"{compiler}" did not compile {_SEARCH}',
            remedy="install a C compiler, name it in CC, or run Stowage from Bazel",
        ) from failure
    return program
