# SPDX-License-Identifier: Apache-2.0
"""Judges that every model which runs on a board was watched and guarded there, out of records of `measure.py` and
`watch.py`: within its record, or apart. A sentence tells each that was not."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

Record = Mapping[str, Any]
_Key = tuple[str, str, str]


def main(arguments: Sequence[str]) -> int:
    """Judges the files of records; returns the exit status."""
    records = [json.loads(Path(argument).read_text()) for argument in arguments]
    found = list(complaints_of(records))
    for complaint in found:
        print(f"stowage: {complaint}", file=sys.stderr)
    print(f"{sum(each.get('watched', 'used_bytes' in each) for each in records)} models were watched and guarded")
    return 1 if found else 0


def complaints_of(records: Sequence[Record]) -> Iterator[str]:
    """What is wrong. That a model does not fit the board is not."""
    apart = {_key(each): each for each in records if "used_bytes" in each}
    for record in records:
        name = "{}/{} on {}".format(*_key(record))
        if record.get("watched") is False and _key(record) not in apart:
            yield f"{name} was neither watched nor guarded"
        if "failure" in record:
            yield f"{name}: {record['failure']}"
    for key, record in apart.items():
        for used_bytes in record["used_bytes"]:
            if used_bytes != record["arena_bytes"]:
                name = "{}/{} on {}".format(*key)
                yield f"{name} used {used_bytes} B of an arena planned with {record['arena_bytes']} B"


def _key(record: Record) -> _Key:
    return record["model"], record["form"], record["board"]


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
