# SPDX-License-Identifier: Apache-2.0
"""The page docs/arena.md, and how far one is from memory reports."""

from __future__ import annotations

from collections.abc import Iterator

from tools.bench.arena_table import Reports, contest_table, line, model_row, model_table, ours_of
from tools.bench.peers import read_peers

_HEAD = """\
# Arenas

What a run of real models takes of RAM beside the stack, in bytes, and what others take for the same models. The arena
holds all tensors, inputs and outputs, and the scratch of kernels.

The tables are written by `./bazelw run //tools/bench:arena -- --page`, with the environment variable `STOWAGE_ZOO`
naming the folder of models; `//tests/zoo:arena_test` holds them against that folder. Without `--page` they are
printed. The board is `host`, which has room for all of them.

## MLPerf Tiny

The five models in int8. In brackets is how far Stowage is from each figure. The figures of others are published, or
were measured by this project; the floors are arithmetic on the models, and count tensors alone. Some of the other
figures are of tensors alone too. TensorFlow Lite Micro's whole arena has the interpreter's own records in it. IREE's
buffer is without inputs and outputs ("I/O"), which are added before it is compared. Vela's is for a neural processing
unit.

"""
_MODELS = """
## All models

- **Lower bound**: no placement of these buffers, in this order of steps, takes less. The gap is the plan's distance.
- **Without sharing**: what the tensors alone take at the fullest moment where no two of them share a byte while both
  live, in the model's own order of steps or Stowage's, whichever takes less. Scratch is not in it, so that models of
  recurrent layers, whose scratch is large, may lie above.
- **Tensors and scratch**: the sum of all buffers, as if each had a place of its own.

"""


def page(reports: Reports) -> str:
    """The whole page."""
    return "\n".join([_HEAD + "\n".join(contest_table(reports)), _MODELS + "\n".join(model_table(reports))]) + "\n"


def differences(text: str, reports: Reports) -> Iterator[str]:
    """A sentence for each thing on a page that is not as reported; models that only the page has may stay."""
    if not text.startswith(_HEAD) or _MODELS not in text:
        yield "docs/arena.md is not of today's program; run ./bazelw run //tools/bench:arena -- --page"
    shown = set(text.splitlines())
    for row in _rows(reports):
        if row not in shown:
            yield f"docs/arena.md should have {row}"


def _rows(reports: Reports) -> Iterator[str]:
    """What the page has to have: a row a model, and the table of the five where all of them are there."""
    yield from (line(model_row(name, report)) for name, report in sorted(reports.items()))
    if all(ours_of(contest, reports) for contest in read_peers()[0]):
        yield from contest_table(reports)
