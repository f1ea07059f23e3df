# SPDX-License-Identifier: Apache-2.0
"""Test support: runs kernel calls on the host, as the C that a model's sources would contain.

A trial is a `KernelCall` with its inputs. A batch of trials becomes one C program, compiled by the system's C compiler
(`CC`, or `cc` from PATH) with every warning an error. Every buffer lies at its element's alignment and no more, between
guards that are checked afterwards; `sanitise` leaves the guarding to AddressSanitizer, and UndefinedBehaviorSanitizer
watches as well.
"""

from __future__ import annotations

import functools
import os
import struct
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from stowage.ir.graph import Array
from stowage.ir.tensor_type import TensorType
from stowage.target.kernels.kernel import Direction, KernelCall, Overlap, Place
from stowage.target.kernels.kernel_trial_program import trial_program

RUNTIME_INCLUDE = Path(__file__).absolute().parents[4] / "runtime" / "include"
_WARNINGS = ("-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Wundef", "-Wstrict-prototypes", "-Werror")
_LANGUAGE = ("-std=c99", "-ffp-contract=off")
_PLAIN = ("-O2",)
_SANITISED = ("-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all")
_GUARD_BYTES = 64
_PATTERN = bytes((37 * position + 11) % 256 for position in range(256))
"""What bytes are that belong to nobody."""


@dataclass(frozen=True, slots=True)
class Trial:
    """A kernel call to be run.

    Attributes:
        call: the call; `arguments` says which buffers exist.
        inputs: arrays of the node's inputs, by index; those that the call never reads may be of any content.
        outputs: types of the node's outputs.
        overlap: lays the output over that input at exactly the distance given, instead of beside it.
    """

    call: KernelCall
    inputs: tuple[Array, ...]
    outputs: tuple[TensorType, ...]
    overlap: Overlap | None = None


@dataclass(frozen=True, slots=True)
class _Block:
    """Memory that holds one buffer, or an input and the output over it: bytes before the call and buffer offsets."""

    content: bytes
    arguments: tuple[tuple[int, int], ...]
    """(argument index, offset in bytes) of each buffer in the block."""


def run_trials(trials: Sequence[Trial], *, specialise: bool = False, sanitise: bool = False) -> list[tuple[Array, ...]]:
    """The outputs of each trial.

    Args:
        trials: the batch. Without `specialise` all must call the same function.
        specialise: compile each call with its parameters and constants as compile-time constants, as generated code has
            them; otherwise one program reads them, which is slower code but a single compilation.
        sanitise: build with AddressSanitizer and UndefinedBehaviorSanitizer.

    Raises:
        AssertionError: the compiler complained, a guard was overwritten, an input changed or a sanitiser objected.
    """
    source = trial_program([trial.call for trial in trials], specialise=specialise)
    layouts = [_blocks(trial, streamed=not specialise, guard_bytes=0 if sanitise else _GUARD_BYTES) for trial in trials]
    stream = b"".join(_encoded(trial, blocks, specialise) for trial, blocks in zip(trials, layouts, strict=True))
    program = _compiled(source, sanitise)
    done = subprocess.run([program], input=stream, capture_output=True, check=False)
    assert done.returncode == 0, f"kernel trial failed ({done.returncode}):\n{done.stderr.decode()[-4000:]}"
    return _decoded(trials, layouts, done.stdout)


@functools.lru_cache(maxsize=64)
def _compiled(source: str, sanitise: bool) -> str:
    folder = Path(tempfile.mkdtemp(prefix="stowage_trial_", dir=os.environ.get("TEST_TMPDIR")))
    (folder / "trial.c").write_text(source)
    program = str(folder / "trial")
    flags = [*_LANGUAGE, *_WARNINGS, *(_SANITISED if sanitise else _PLAIN), f"-I{RUNTIME_INCLUDE}"]
    command = [os.environ.get("CC", "cc"), *flags, str(folder / "trial.c"), "-lm", "-o", program]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{' '.join(command)}\n{done.stderr[:8000]}"
    return program


def _blocks(trial: Trial, streamed: bool, guard_bytes: int) -> list[_Block]:
    buffers = {
        index: data
        for index, argument in enumerate(trial.call.arguments)
        if (streamed or argument.place is not Place.CONSTANT) and (data := _initial(trial, index)) is not None
    }
    over = _overlapped(trial)
    blocks = [_block({index: data}, guard_bytes, trial) for index, data in buffers.items() if index not in over]
    return blocks + ([_block({index: buffers[index] for index in over}, guard_bytes, trial)] if over else [])


def _initial(trial: Trial, index: int) -> Array:
    """Content of an argument's buffer before the call; outputs and scratch start as a pattern."""
    argument = trial.call.arguments[index]
    if argument.place is Place.INPUT:
        return trial.inputs[argument.index]
    if argument.place is Place.CONSTANT:
        return trial.call.constants[argument.index].array
    if argument.place is Place.OUTPUT:
        output = trial.outputs[argument.index]
        return np.full(output.size_bytes, 0xA5, np.uint8).view(output.dtype.numpy)
    return np.full(trial.call.scratch_bytes[argument.index], 0xA5, np.uint8)


def _overlapped(trial: Trial) -> tuple[int, ...]:
    """Argument indices of the input and the output that share bytes."""
    if trial.overlap is None:
        return ()
    places = [(argument.place, argument.index) for argument in trial.call.arguments]
    return places.index((Place.INPUT, trial.overlap.input)), places.index((Place.OUTPUT, 0))


def _block(buffers: dict[int, Array], guard_bytes: int, trial: Trial) -> _Block:
    alignment = max(data.itemsize for data in buffers.values())
    if any(trial.call.arguments[index].place is Place.SCRATCH for index in buffers):
        alignment = 2 * trial.call.scratch_alignment_bytes
    front = guard_bytes + alignment
    offsets = [front + offset for offset in _offsets(list(buffers.values()), trial.overlap)]
    end = max(offset + data.nbytes for offset, data in zip(offsets, buffers.values(), strict=True))
    content = bytearray((_PATTERN * ((end + guard_bytes) // len(_PATTERN) + 1))[: end + guard_bytes])
    for offset, data in reversed(list(zip(offsets, buffers.values(), strict=True))):
        content[offset : offset + data.nbytes] = np.ascontiguousarray(data).tobytes()
    return _Block(bytes(content), tuple(zip(buffers, offsets, strict=True)))


def _offsets(buffers: list[Array], overlap: Overlap | None) -> list[int]:
    """Where a lone buffer, or an input and the output over it, begin; the lowest at 0."""
    if len(buffers) == 1 or overlap is None:
        return [0]
    below = overlap.distance_bytes
    if overlap.direction is Direction.BACKWARD:
        below = buffers[1].nbytes - buffers[0].nbytes - overlap.distance_bytes
    return [max(below, 0), max(-below, 0)]


def _encoded(trial: Trial, blocks: list[_Block], specialise: bool) -> bytes:
    """One trial as the C program reads it: parameters unless compiled in, then blocks, then where arguments point."""
    parts: list[bytes] = [] if specialise else [_parameters(trial.call)]
    parts.append(struct.pack("<q", len(blocks)))
    parts += [struct.pack("<q", len(block.content)) + block.content for block in blocks]
    for number, block in enumerate(blocks):
        parts += [struct.pack("<qqq", argument, number, offset) for argument, offset in block.arguments]
    return b"".join([*parts, struct.pack("<q", -1)])


def _parameters(call: KernelCall) -> bytes:
    flat = [item for _, value in call.parameters for item in (value if isinstance(value, tuple) else (value,))]
    return b"".join(struct.pack("<d" if isinstance(item, float) else "<q", item) for item in flat)


def _decoded(trials: Sequence[Trial], layouts: list[list[_Block]], stream: bytes) -> list[tuple[Array, ...]]:
    position = 0
    results = []
    for trial, blocks in zip(trials, layouts, strict=True):
        found: dict[int, Array] = {}
        for block in blocks:
            after = stream[position : position + len(block.content)]
            position += len(after)
            found |= _checked(trial, block, after)
        results.append(tuple(found[index] for index in sorted(found)))
    assert position == len(stream)
    return results


def _checked(trial: Trial, block: _Block, after: bytes) -> dict[int, Array]:
    """The outputs in a block, by output index; nothing else may have changed, save an input under its output."""
    expected = bytearray(block.content)
    found: dict[int, Array] = {}
    for argument_index, offset in block.arguments:
        argument = trial.call.arguments[argument_index]
        if argument.place is Place.OUTPUT:
            output = trial.outputs[argument.index]
            data = after[offset : offset + output.size_bytes]
            expected[offset : offset + output.size_bytes] = data
            found[argument.index] = np.frombuffer(data, output.dtype.numpy).reshape(output.shape)
        elif argument.place is Place.SCRATCH:
            size = trial.call.scratch_bytes[argument.index]
            expected[offset : offset + size] = after[offset : offset + size]
    assert bytes(expected) == after, f"{trial.call.function} wrote outside of its output and scratch"
    return found
