# SPDX-License-Identifier: Apache-2.0
"""Judges the records of a model (see `measure.py`): one line each, and a sentence for each thing that is wrong."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

Record = Mapping[str, Any]
_DOES_NOT_FIT = re.compile(r"region \w+ of board (\w+) has [\d,]+ B for (?:it|them), [\d,]+ B too few")


def main(arguments: Sequence[str]) -> int:
    """Judges the files of records; returns the exit status."""
    complaints = 0
    for record in (json.loads(Path(argument).read_text()) for argument in arguments):
        name = f"{record['model']}/{record['form']} on {record['board']}"
        print(f"{name}: {told(record)}")
        for complaint in complaints_of(record):
            complaints += 1
            print(f"stowage: {name}: {complaint}", file=sys.stderr)
    return 1 if complaints else 0


def told(record: Record) -> str:
    """What came of it, in one line."""
    if "sentence" in record or "failure" in record:
        return str(record.get("sentence", record.get("failure")))
    words = [f"arena {record['arena_bytes']:,} B"]
    if "most_instructions" in record:
        words += [f"flash {record['flash_bytes']:,} B", f"{record['most_instructions']:,} instructions"]
    words += [_distance(output) for output in record["outputs"]]
    return f"{record['vectors']} vectors, {', '.join(words)}"


def _distance(output: Record) -> str:
    worst = max(range(len(output["distances"])), key=lambda v: output["distances"][v] / max(output["limits"][v], 1e-9))
    return f"{output['distances'][worst]:.3g} {output['unit']} (allowed {output['limits'][worst]:.3g})"


def complaints_of(record: Record) -> Iterator[str]:
    """What is wrong. That a model does not fit a board is not, if it is said so."""
    if "refusal" in record:
        yield from _refusal(record)
    elif "failure" in record:
        yield record["failure"]
    else:
        yield from _outputs(record)
        yield from _execution(record)


def _refusal(record: Record) -> Iterator[str]:
    said = _DOES_NOT_FIT.search(record["sentence"])
    if record["refusal"] != "DoesNotFit":
        yield f"it is refused: {record['sentence']}"
    elif said is None or said[1] != record["board"]:
        yield f"the refusal does not say which region of the board is too small: {record['sentence']}"


def _outputs(record: Record) -> Iterator[str]:
    for index, output in enumerate(record["outputs"]):
        for vector, (distance, limit) in enumerate(zip(output["distances"], output["limits"], strict=True)):
            if not distance <= limit:
                yield f"output {index} of vector {vector} is off by {distance:g} {output['unit']}, allowed is {limit:g}"


def _execution(record: Record) -> Iterator[str]:
    """What holds whatever the outputs are, and on a board."""
    if record["arena_used_bytes"] != record["arena_bytes"]:
        yield f"the run used {record['arena_used_bytes']} B of an arena planned with {record['arena_bytes']} B"
    if "most_instructions" not in record:
        return
    if record["least_instructions"] != record["most_instructions"]:
        yield (
            "the executed instructions depend on the input: "
            f"{record['least_instructions']} to {record['most_instructions']}"
        )
    if record["stack_used_bytes"] > record["stack_bound_bytes"]:
        yield f"the stack used {record['stack_used_bytes']} B, its static bound is {record['stack_bound_bytes']} B"
    if record["stack_bound_bytes"] > record["stack_reserved_bytes"]:
        yield f"the stack may take {record['stack_bound_bytes']} B of {record['stack_reserved_bytes']} B set aside"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
