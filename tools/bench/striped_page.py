# SPDX-License-Identifier: Apache-2.0
"""The table of docs/tiles.md: models as they are and in stripes, measured on an emulated board.

Its arguments are records of `tests/zoo/measure_striped.py`: `./bazelw run //tests/zoo:striped`. With `--check` the last
one is the page, which is held against them.
"""

from __future__ import annotations

import argparse
import json
import os
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tools.bench.arena_table import table
from tools.bench.tiled import bar_of

StripedRecord = Mapping[str, Any]

_COLUMNS = (
    *("Model", "Input", "Lower bound", "As it is", "Bar", "In stripes", "Steps", "Instructions", "in stripes"),
    *("Ratio", "Flash"),
)
_MOST_RATIO = 1.3
_MOST_RATIOS: Mapping[str, float] = {"mlperf_ic_int8": 1.25}
"""By the model's folder, how many times the instructions of the model as it is a run in stripes may take."""


def main(arguments: Sequence[str]) -> int:
    """Writes the page or checks it; returns the exit status: 1 where a row is out of date, or a model above its bar."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="the last file is the page, to be compared")
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args(arguments)
    paths = options.files[:-1] if options.check else options.files
    records = [json.loads(path.read_text(encoding="utf-8")) for path in paths]
    if not records:
        return _judged(["there are no models: let STOWAGE_ZOO name a folder of them"])
    if options.check:
        page = options.files[-1].read_text(encoding="utf-8")
        return _judged([*striped_differences(page, records), *striped_complaints(records)])
    place = Path(os.environ["BUILD_WORKSPACE_DIRECTORY"], "docs", "tiles.md")
    place.write_text(with_striped_table(place.read_text(encoding="utf-8"), records), encoding="utf-8")
    print("\n".join([*striped_table(records), f"wrote {place}"]))
    return _judged(list(striped_complaints(records)))


def _judged(sentences: Sequence[str]) -> int:
    for sentence in sentences:
        print(f"stowage: {sentence}", file=sys.stderr)
    return 1 if sentences else 0


def striped_table(records: Sequence[StripedRecord]) -> list[str]:
    """A row a model; bytes, and executed instructions."""
    return list(table(map(_row, sorted(records, key=lambda each: str(each["model"]))), _COLUMNS))


def striped_complaints(records: Sequence[StripedRecord]) -> Iterator[str]:
    """A sentence for each model that takes too many instructions; its limit of memory the build itself keeps."""
    for record in records:
        most = _MOST_RATIOS.get(record["model"], _MOST_RATIO)
        if _ratio(record) > most:
            yield f"{record['model']} takes {_ratio(record):.3f} times its instructions in stripes, its bar is {most}"


def with_striped_table(page: str, records: Sequence[StripedRecord]) -> str:
    """A page with its table replaced by that of the records.

    Raises:
        ValueError: the page has no such table.
    """
    head, *rows = striped_table(records)
    before, found, after = page.partition(head + "\n")
    if not found:
        raise ValueError(f"docs/tiles.md has no table that begins with {head}")
    rest = after.splitlines()
    while rest and rest[0].startswith("|"):
        rest.pop(0)
    return before + "\n".join([head, *rows, *rest]) + "\n"


def striped_differences(page: str, records: Sequence[StripedRecord]) -> Iterator[str]:
    """A sentence for each row that a page should have; rows of models that are not there may stay."""
    shown = set(page.splitlines())
    for row in striped_table(records):
        if row not in shown:
            yield f"docs/tiles.md should have {row}; run ./bazelw run //tests/zoo:striped"


def _row(record: StripedRecord) -> list[str]:
    plain, striped = record["plain"], record["striped"]
    figures = (
        record["inputs_bytes"],
        record["lower_bound_bytes"],
        plain["arena_bytes"],
        _bar_bytes(record),
        striped["arena_bytes"],
        striped["steps"],
        plain["instructions"],
        striped["instructions"],
    )
    flash = striped["flash_bytes"] - plain["flash_bytes"]
    return [record["model"], *(f"{figure:,}" for figure in figures), f"{_ratio(record):.3f}", f"{flash:+,}"]


def _bar_bytes(record: StripedRecord) -> int:
    return bar_of(record["model"], record["lower_bound_bytes"]) or int(record["plain"]["arena_bytes"])


def _ratio(record: StripedRecord) -> float:
    return float(record["striped"]["instructions"] / record["plain"]["instructions"])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
