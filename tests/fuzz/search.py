# SPDX-License-Identifier: Apache-2.0
"""Breaks more files than the test does: `./bazelw run //tests/fuzz:search -- --first 10000 --files 50000`.

Prints every fault and keeps its file. A fault's file becomes a test beside the code that is mended.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path

from tests.fuzz.corpus import all_seeds, broken_files
from tests.fuzz.trial import faults

_BATCH = 100


def main(arguments: Sequence[str]) -> int:
    """Searches; 1 where it found something."""
    parser = argparse.ArgumentParser(prog="search", description=__doc__)
    parser.add_argument("--first", type=int, default=10_000, help="number of the first file")
    parser.add_argument("--files", type=int, default=10_000, help="how many files to break")
    parser.add_argument("--keep", type=Path, default=Path(tempfile.gettempdir()) / "stowage_broken_files")
    options = parser.parse_args(arguments)
    seeds, found = all_seeds(), 0
    for done in range(0, options.files, _BATCH):
        print(f"{done} of {options.files} files", end="\r", file=sys.stderr)
        batch = list(broken_files(seeds, options.first + done, min(_BATCH, options.files - done)))
        data = {given.name: given.data for given in batch}
        for fault in faults(batch):
            found += 1
            options.keep.mkdir(parents=True, exist_ok=True)
            (options.keep / fault.name).write_bytes(data[fault.name])
            print(f"{options.keep / fault.name}: {fault.symptom}")
    print(f"{options.files} files, {found} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
