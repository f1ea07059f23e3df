# SPDX-License-Identifier: Apache-2.0
"""Runs the trial image of a model of the zoo on its board, and writes what came of it as JSON.

The record has "model", "form" (the model's file), "board" and one of: the "refusal" of the compiler with its
"sentence"; a "failure", which is what the run died of; or the figures of the run and an entry per output, see
`deviation.py`.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from stowage.target.board import Board
from stowage.target.board_reader import load_board
from tests.zoo.deviation import Deviation, deviations, limited_as
from tests.zoo.expected import Expected, read_expected
from tools.size.image import read_image
from tools.size.usage import usage
from tools.stack.disassembly import stack_of
from tools.stack.unbounded import UnboundedStack
from tools.trial.trial import Trial, TrialFailed, run_trial
from tools.trial.vectors import Array, VectorError, check_types, load, pack, unpack

Record = dict[str, Any]
MACS_PER_RUN = 20_000_000
"""How many multiply-accumulates an emulated board gets to do: as many vectors as that is, and at least one."""
WATCHED_ARENA_BYTES = 400_000
"""The largest arena that is watched: the watch looks at every byte of it around every step, and the guard of one of
614,512 bytes was seen to take more regions than the memory protection unit of mps2_an386 has."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs a command line; returns the exit status."""
    options = _options(arguments)
    record: Record = {"model": options.model.parent.name, "form": options.model.name}
    board = load_board(str(options.board))
    record["board"] = board.name
    memory = json.loads(options.memory.read_text())
    if "refusal" in memory:
        record |= memory
    else:
        try:
            record |= _figures(options, board, memory)
        except (TrialFailed, VectorError, UnboundedStack) as failure:
            record["failure"] = str(failure)
    options.out.write_text(json.dumps(record, indent=2) + "\n")
    return 0


def _options(arguments: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--model", required=True, type=Path, help="the model's file")
    parser.add_argument("--elf", required=True, type=Path, help="trial image of the model")
    parser.add_argument(
        "--watched-elf", type=Path, help="its trial image as a poison build under guard, if there is one"
    )
    parser.add_argument("--board", required=True, type=Path, help="the board file")
    parser.add_argument("--memory", required=True, type=Path, help="memory report of the model, JSON")
    parser.add_argument("--execution", required=True, type=Path)
    parser.add_argument("--qemu", default="")
    parser.add_argument("--objdump", type=Path, help="the disassembler, for boards with a stack of their own")
    parser.add_argument("--input", action="append", default=[], type=Path, help="vectors of an input")
    parser.add_argument("--expected", action="append", default=[], type=Path, help="what is expected of an output")
    parser.add_argument("--meta", type=Path, help="what the zoo tells of the model")
    parser.add_argument("--host", type=Path, help="the record of the host, whose limits hold here too")
    parser.add_argument("--out", required=True, type=Path, help="where the record goes")
    return parser.parse_args(arguments)


def _figures(options: argparse.Namespace, board: Board, memory: Mapping[str, Any]) -> Record:
    meta = json.loads(options.meta.read_text()) if options.meta else {}
    own = _inputs(options.model, meta)
    inputs, outputs = load(options.input[:own]), load(options.expected)
    count = len(inputs[0]) if options.objdump is None else _vectors_on_board(meta, len(inputs[0]))
    if own is not None and own < len(options.input):
        # It keeps its states itself, and the zoo's further vectors are steps picked from a longer run.
        count = 1
    inputs, outputs = [array[:count] for array in inputs], [array[:count] for array in outputs]
    trial = _together([run_trial(options.qemu, options.execution, options.elf, run) for run in _runs(inputs, memory)])
    check_types("input", inputs, trial.input_types)
    check_types("output", outputs, trial.output_types)
    expected = read_expected(options.model, inputs, outputs, meta)
    is_watched = options.watched_elf is not None and memory["arena_bytes"] <= WATCHED_ARENA_BYTES
    if is_watched:
        _check_watched(options, trial, pack([array[:1] for array in inputs]))
    found = deviations(expected, unpack(trial.outputs, outputs))
    return {
        "vectors": trial.vectors,
        "arena_bytes": memory["arena_bytes"],
        "arena_used_bytes": trial.arena_high_water_bytes,
        "watched": is_watched,
        "weights_bytes": memory["weights_bytes"],
        "outputs": [each.record() for each in _limited(options, expected, found)],
        **(_board_figures(options, board, trial) if options.objdump else {}),
    }


def _runs(inputs: Sequence[Array], memory: Mapping[str, Any]) -> list[bytes]:
    """The packed vectors of each run of the image: of all of them, or of one, where a state would go from one to the
    next although they have nothing to do with each other."""
    if not memory["states"]:
        return [pack(inputs)]
    return [pack([array[vector : vector + 1] for array in inputs]) for vector in range(len(inputs[0]))]


def _together(trials: Sequence[Trial]) -> Trial:
    """Several runs of an image as one."""
    return replace(
        trials[0],
        outputs=b"".join(each.outputs for each in trials),
        vectors=sum(each.vectors for each in trials),
        least_instructions=min(each.least_instructions for each in trials),
        most_instructions=max(each.most_instructions for each in trials),
        stack_high_water_bytes=max(each.stack_high_water_bytes for each in trials),
    )


def _check_watched(options: argparse.Namespace, trial: Trial, vector: bytes) -> None:
    """Runs the first vector where every wrong access is seen; its outputs have to be the same bytes.

    Raises:
        TrialFailed: there was such an access, or the outputs are others.
    """
    watched = run_trial(options.qemu, options.execution, options.watched_elf, vector)
    if watched.outputs != trial.outputs[: len(watched.outputs)]:
        raise TrialFailed(f"{options.watched_elf.name} gives other outputs than {options.elf.name}")


def _inputs(model: Path, meta: Mapping[str, Any]) -> int | None:
    """How many of the zoo's inputs are this file's: states, which come last, are inputs in ONNX and not in TFLite."""
    return len(meta["tflite"]["inputs"]) if model.suffix == ".tflite" and "tflite" in meta else None


def _vectors_on_board(meta: Mapping[str, Any], vectors: int) -> int:
    macs = max(1, int(meta.get("macs", MACS_PER_RUN)))
    return max(1, min(vectors, MACS_PER_RUN // macs))


def _limited(options: argparse.Namespace, expected: Expected, found: list[Deviation]) -> list[Deviation]:
    if options.host:
        return limited_as(json.loads(options.host.read_text()).get("outputs", ()), found)
    if not expected.is_onnx:
        return found
    # Here, because importing ONNX Runtime takes longer than most runs, and boards do without it.
    from tests.zoo.noise import noisy

    return noisy(expected, found)


def _board_figures(options: argparse.Namespace, board: Board, trial: Trial) -> Record:
    return {
        "flash_bytes": usage(read_image(options.elf), board).flash_bytes,
        "least_instructions": trial.least_instructions,
        "most_instructions": trial.most_instructions,
        "stack_used_bytes": trial.stack_high_water_bytes,
        "stack_bound_bytes": stack_of(options.elf, options.objdump, board.core.fpu).bytes_,
        "stack_reserved_bytes": board.stack_size_bytes,
    }


if __name__ == "__main__":
    sys.exit(main())
