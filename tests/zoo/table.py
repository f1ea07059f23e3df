# SPDX-License-Identifier: Apache-2.0
"""The page docs/zoo.md out of records (see `measure.py`): a row for each file of each model.

`./bazelw run //tests/zoo:table` writes it. With `--check PAGE` it is compared instead: each row of a model that the zoo
has, has to be as measured. Models of the zoo that the page does not have are told.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

Record = Mapping[str, Any]

BOARDS = {"mps2_an386": "M4", "mps3_an547": "M55"}
_HEAD = """\
# Real models

Models that people use, with published weights where there are any, as they come out of Stowage: on the host against the
outputs of the runtime that they come from (ONNX Runtime; for a `.tflite` file TensorFlow Lite's reference kernels), and
as images for two boards in QEMU, `mps2_an386` (Cortex-M4F) and `mps3_an547` (Cortex-M55).

- **Error** is the largest difference of any output in any vector: in quantisation steps of the output, or relative to
  the largest magnitude of that output in the vector. It has to be within what the note below says.
- **Arena** is what a run needs of RAM beside the stack. **Flash** is the whole image: weights, code, constants, and the
  test's own start-up, console and file code.
- **Instructions** are those of one run as QEMU counts them. They are no cycles.
- Where a model does not fit a board, the compiler says which region has how many bytes too few.

An output has to be within one step, or 1e-5 of its largest magnitude, or else within what the model itself makes of
noise: ONNX Runtime runs it with every quantised tensor moved by one step and every real by a millionth, since the flip
of a rounding, which another order of summing brings, grows on its way through a deep network. TensorFlow Lite's
integers are met bit for bit.

The table is written by `./bazelw run //tests/zoo:table`, with the environment variable `STOWAGE_ZOO` naming the
folder of models; `//tests/zoo:table_test` holds it against that folder.

"""
_FIGURES = ("Arena", "Flash", "Instructions")
_COLUMNS = ("Model", "Weights", "Error", *(f"{what}, {core}" for core in BOARDS.values() for what in _FIGURES))
_TOO_FEW = re.compile(r"region (\w+) of board \w+ has [\d,]+ B for (it|them), ([\d,]+) B too few")


def main(arguments: Sequence[str]) -> int:
    """Writes the page or checks it; returns the exit status."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--check", action="store_true", help="the last file is the page, to be compared")
    parser.add_argument("files", nargs="*", type=Path)
    options = parser.parse_args(arguments)
    paths = options.files[:-1] if options.check else options.files
    lines = rows([json.loads(path.read_text()) for path in paths])
    return _check(lines, options.files[-1].read_text()) if options.check else _write(lines)


def rows(records: Sequence[Record]) -> list[str]:
    """A line of the table for each file of a model."""
    files: dict[str, dict[str, Record]] = {}
    for record in records:
        files.setdefault(f"{record['model']}/{record['form']}", {})[record["board"]] = record
    return [_row(name, by_board) for name, by_board in sorted(files.items())]


def page(lines: Sequence[str]) -> str:
    """The whole page."""
    return "\n".join([f"{_HEAD}| {' | '.join(_COLUMNS)} |", "|" + " --- |" * len(_COLUMNS), *lines]) + "\n"


def _row(name: str, by_board: Mapping[str, Record]) -> str:
    cells = [name, *_on_host(by_board["host"])]
    for board in BOARDS:
        cells += _on_board(by_board[board])
    return f"| {' | '.join(cells)} |"


def _on_host(record: Record) -> Iterator[str]:
    if "outputs" not in record:
        yield from ("", str(record.get("refusal", "failed")))
        return
    yield f"{record['weights_bytes']:,}"
    by_unit: dict[str, list[float]] = {}
    for output in record["outputs"]:
        by_unit.setdefault(output["unit"], []).extend(output["distances"])
    yield ", ".join(_error(unit, max(distances)) for unit, distances in by_unit.items())


def _error(unit: str, distance: float) -> str:
    return f"{distance:.0f} steps" if unit == "steps" else f"{distance:.1e}"


def _on_board(record: Record) -> tuple[str, str, str]:
    if "outputs" in record:
        arena, flash = record["arena_bytes"], record["flash_bytes"]
        return f"{arena:,}", f"{flash:,}", f"{record['most_instructions']:,}"
    said = _TOO_FEW.search(record.get("sentence", ""))
    if said is None:
        return "", "", "failed"
    region, what, excess = said.groups()
    short = f"{excess} B too few in {region}"
    return (short, "", "does not fit") if what == "it" else ("", short, "does not fit")


def _write(lines: Sequence[str]) -> int:
    if not lines:
        print("stowage: there are no models: let STOWAGE_ZOO name a folder of them", file=sys.stderr)
        return 1
    place = Path(os.environ["BUILD_WORKSPACE_DIRECTORY"], "docs", "zoo.md")
    place.write_text(page(lines), encoding="utf-8")
    print(f"wrote {place}")
    return 0


def _check(lines: Sequence[str], text: str) -> int:
    stale = 0
    for line in lines:
        start = line[: line.index(" | ")] + " | "
        shown = next((other for other in text.splitlines() if other.startswith(start)), None)
        if shown is None:
            print(f"not in docs/zoo.md: {line}")
        elif shown != line:
            stale += 1
            print(f"docs/zoo.md has\n  {shown}\nmeasured is\n  {line}", file=sys.stderr)
    if stale:
        print(f"stowage: {stale} rows are out of date; run ./bazelw run //tests/zoo:table", file=sys.stderr)
    return 1 if stale or not text.startswith(_HEAD) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
