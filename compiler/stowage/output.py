# SPDX-License-Identifier: Apache-2.0
"""Output files appear all together or not at all."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from pathlib import Path

from stowage.errors import StowageError


def write_files(folder: Path, files: Mapping[str, str]) -> None:
    """Writes every file into a folder, which is made if need be; on failure none of them is left half-written.

    Raises:
        StowageError: the folder cannot be made or written.
    """
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(dir=folder, prefix=".stowage-") as staging:
            for name, text in files.items():
                Path(staging, name).write_text(text, encoding="utf-8")
            for name in files:
                Path(staging, name).replace(folder / name)
    except OSError as failure:
        reason = f"cannot write there ({failure.strerror})"
        raise StowageError(file=str(folder), reason=reason, remedy="name a folder that you may write to") from failure
