# SPDX-License-Identifier: Apache-2.0
"""Unpack Debian packages into a folder: files only, no maintainer script, no package database."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from pathlib import Path

from tools.dev.bootstrap.failure import SetUpFailed
from tools.dev.bootstrap.progress import Counter

_LEFT_OUT = ("./usr/share/doc/*", "./usr/share/man/*", "./usr/share/locale/*", "./usr/share/info/*")


def unpack(archives: Sequence[Path], root: Path) -> None:
    """Unpack every archive into `root`; base-files goes first, as its links decide where the others' files land."""
    root.mkdir()
    first = [archive for archive in archives if archive.name.startswith("base-files_")]
    rest = [archive for archive in archives if archive not in first]
    counter = Counter("unpacking", len(archives), "packages")
    for archive in first:
        _unpack_one(archive, root)
    pool = ThreadPoolExecutor(max_workers=os.cpu_count())
    futures = [pool.submit(_unpack_one, archive, root) for archive in rest]
    try:
        for done, future in enumerate(as_completed(futures), start=len(first) + 1):
            future.result()
            counter.show(done)
    finally:  # whoever interrupts this does not want the rest unpacked first
        pool.shutdown(cancel_futures=True)


def _unpack_one(archive: Path, root: Path) -> None:
    left_out = [f"--exclude={pattern}" for pattern in _LEFT_OUT]
    with subprocess.Popen(["dpkg-deb", "--fsys-tarfile", archive], stdout=subprocess.PIPE) as unpacked:
        # One's own files, whoever one is: no owner of the archive's, and no set-user-id bit.
        tar = ["tar", "--extract", "--directory", str(root), "--no-same-owner", "--no-same-permissions", *left_out]
        written = subprocess.run(tar, stdin=unpacked.stdout, capture_output=True, text=True)
    if unpacked.returncode != 0 or written.returncode != 0:
        raise SetUpFailed(f"{archive.name} could not be unpacked ({written.stderr.strip()}): free some disk, run again")
