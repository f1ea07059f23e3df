# SPDX-License-Identifier: Apache-2.0
"""Write a lock of Debian packages: `python3 -m third_party.debian.lock SUITE PACKAGES.txt LOCK.json`.

The names come from a text file, one a line; what they depend on is not added. Paths and hashes come from the suite's
index, whose signature apt checks.
"""

from __future__ import annotations

import json
import re
import sys
import tempfile
from pathlib import Path

from third_party.debian.mirror import find_mirror
from tools.dev.bootstrap.apt import PrivateApt


def lock_entry(stanza: str) -> dict[str, str]:
    """What a lock says of one package, from its stanza in the index."""
    fields = dict(re.findall(r"^([\w-]+): (.*)$", stanza, re.MULTILINE))
    names = {"name": "Package", "version": "Version", "path": "Filename", "sha256": "SHA256"}
    return {name: fields[field] for name, field in names.items()}


def main(suite: str, names_file: Path, lock_file: Path) -> None:
    """Resolve the names in the file against the suite and write the lock, sorted by name."""
    mirror = find_mirror()
    if mirror is None:
        sys.exit("lock.py: this machine's apt names no Debian archive")
    names = [line for line in names_file.read_text().splitlines() if line and not line.startswith("#")]
    with tempfile.TemporaryDirectory() as folder:
        apt = PrivateApt(Path(folder), mirror, suite)
        apt.update()
        stanzas = apt.describe(names).strip().split("\n\n")
    entries = sorted((lock_entry(stanza) for stanza in stanzas), key=lambda entry: entry["name"])
    if missing := set(names) - {entry["name"] for entry in entries}:
        sys.exit(f"lock.py: {suite} has no {', '.join(sorted(missing))}")
    lock_file.write_text(json.dumps(entries, indent=2) + "\n")


if __name__ == "__main__":
    main(sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3]))
