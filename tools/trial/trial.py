# SPDX-License-Identifier: Apache-2.0
"""Runs the trial image of a model (`model_trial.c`) on its board's emulator or on the host, and reads what it tells."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tools.qemu.command import ImageNotRun
from tools.qemu.run import Outcome, TimeLimit, run_image
from tools.trial.vectors import TensorBytes

TIME_LIMIT_S = 600.0
_LINE = re.compile(r"^stowage: (\w+) (\d+)$", re.MULTILINE)
# In the order of `enum stw_element`.
_ELEMENTS = (
    *("float16", "float32", "float64", "int8", "int16", "int32", "int64"),
    *("uint8", "uint16", "uint32", "uint64", "bool"),
)
_REASONS = {
    1: "it could not open inputs.bin or write outputs.bin",
    2: "inputs.bin ends within a vector",
    3: "the model's run returned an error",
    4: "it touched bytes of the arena that were not its own",
    5: "its guard takes more regions than the memory protection unit has",
    125: "it stopped at a fault",
}


class TrialFailed(Exception):
    """The image did not come to its end; the message says why, with what it had written."""


@dataclass(frozen=True, slots=True)
class Trial:
    """What a trial told.

    Attributes:
        outputs: the packed outputs of all vectors.
        input_types: what the model's inputs are, in its order.
        output_types: what its outputs are.
        vectors: how many runs there were.
        least_instructions: of the run that took fewest.
        most_instructions: of the run that took most.
        stack_high_water_bytes: the deepest that the stack has been, 0 on the host.
        arena_high_water_bytes: end of the highest byte of the arena that was ever written.
        further_high_water_bytes: the same of each arena beside the main one.
        watched: whether it was a poison build, which sees a byte that equals its poison as not written.
    """

    outputs: bytes
    input_types: tuple[TensorBytes, ...]
    output_types: tuple[TensorBytes, ...]
    vectors: int
    least_instructions: int
    most_instructions: int
    stack_high_water_bytes: int
    arena_high_water_bytes: int
    watched: bool
    further_high_water_bytes: tuple[int, ...] = ()


def run_trial(qemu: str, execution: Path, elf: Path, inputs: bytes) -> Trial:
    """Runs every vector of `inputs` through the image.

    Args:
        qemu: the emulator; the host needs none.
        execution: the board's execution file.
        elf: the trial image.
        inputs: packed vectors.

    Raises:
        TrialFailed: the image did not start, did not end in time, or ended with a failure.
    """
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "inputs.bin").write_bytes(inputs)
        try:
            outcome = run_image(elf, execution, qemu, time_limit_s=TIME_LIMIT_S, folder=Path(folder))
        except (ImageNotRun, TimeLimit) as failure:
            raise TrialFailed(str(failure)) from failure
        if outcome.status != 0:
            reason = _REASONS.get(outcome.status, f"it ended with status {outcome.status}")
            raise TrialFailed(f"{elf.name} failed: {reason}\n{outcome.output}{outcome.diagnosis}")
        return _read(outcome, Path(folder, "outputs.bin").read_bytes(), elf.name)


def _read(outcome: Outcome, outputs: bytes, name: str) -> Trial:
    told = {key: int(value) for key, value in _LINE.findall(outcome.output)}
    try:
        return Trial(
            outputs=outputs,
            input_types=_types("input", told),
            output_types=_types("output", told),
            vectors=told["vectors"],
            least_instructions=told["least_instructions"],
            most_instructions=told["most_instructions"],
            stack_high_water_bytes=told["stack_high_water_bytes"],
            arena_high_water_bytes=told["arena_high_water_bytes"],
            watched="poison_violations" in told,
            further_high_water_bytes=tuple(_further(told)),
        )
    except KeyError as missing:
        raise TrialFailed(f"{name} ended without telling {missing}:\n{outcome.output}") from missing


def _further(told: dict[str, int]) -> Iterator[int]:
    number = 0
    while (key := f"further_{number}_high_water_bytes") in told:
        yield told[key]
        number += 1


def _types(kind: str, told: dict[str, int]) -> tuple[TensorBytes, ...]:
    indices = range(told[f"{kind}s"])
    return tuple(TensorBytes(_ELEMENTS[told[f"{kind}_{i}_element"]], told[f"{kind}_{i}_bytes"]) for i in indices)
