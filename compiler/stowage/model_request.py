# SPDX-License-Identifier: Apache-2.0
"""What is asked of the compiler: a model file and how to compile it; and what of that does not go together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from stowage.errors import StowageError
from stowage.quantise.request import Quantisation


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """A model file and how to compile it.

    Attributes:
        model: a .onnx or .tflite file.
        name: C identifier of the model; made from the file's name if empty.
        dimensions: values for symbolic dimensions of the model.
        states: names of outputs by names of inputs: what an output holds after a run, its input holds in the next.
        fixed: elements of those inputs that are constants of this build, by name, with commas between them.
        quantisation: how to turn a float model into int8; None compiles it as it is.
        ram_bytes: the most that the arena may take: parts of the model run in stripes where it would take more. None
            lets it take all that the board has.
        arenas: the most that the model may take of further regions, by name of a region for arenas, or "fast": it has
            an arena in each then, and every buffer lies where it costs least. Empty gives the model one arena.
        prefetch: whether weights are brought into the arena by DMA, ahead of the steps that read them, where that pays.
        npu: whether the board's NPU computes what it can, where the board has one.
        stream_input: whether the caller feeds the input by rows while the model runs; all runs on the processor then.
    """

    model: Path
    name: str = ""
    dimensions: Mapping[str, int] = field(default_factory=dict)
    states: Mapping[str, str] = field(default_factory=dict)
    fixed: Mapping[str, str] = field(default_factory=dict)
    quantisation: Quantisation | None = None
    ram_bytes: int | None = None
    arenas: Mapping[str, int] = field(default_factory=dict)
    prefetch: bool = False
    npu: bool = True
    stream_input: bool = False


def check_stream_input(request: ModelRequest) -> None:
    """Refuses an input by rows beside what does not go with it.

    Raises:
        StowageError: there is such.
    """
    refuse_arenas(request, "a model whose input is fed by rows has one arena")
    if request.prefetch:
        refuse_stream_input(request, "a model that brings weights into its arena by DMA has its input whole")


def refuse_stream_input(request: ModelRequest, reason: str) -> None:
    """Refuses an input by rows, if one is asked for where there can be none.

    Raises:
        StowageError: it is.
    """
    if request.stream_input:
        file, remedy = str(request.model), "leave it out (stream_input)"
        raise StowageError(file=file, where="--stream-input", reason=reason, remedy=remedy)


def refuse_arenas(request: ModelRequest, reason: str) -> None:
    """Refuses further arenas, if any are asked for where there can be none.

    Raises:
        StowageError: they are.
    """
    if request.arenas:
        file, remedy = str(request.model), "leave them out (arenas)"
        raise StowageError(file=file, where="--arena", reason=reason, remedy=remedy)
