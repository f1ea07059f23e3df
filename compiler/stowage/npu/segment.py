# SPDX-License-Identifier: Apache-2.0
"""Steps of a schedule that an NPU runs, as one step: their command stream, its data and the kernel call."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from stowage.ir.graph import Node, Value
from stowage.ir.ops.npu import NpuSegment
from stowage.npu.decode import decoded
from stowage.npu.emit import emit
from stowage.npu.in_place import overlaps_of
from stowage.npu.layer import Layer
from stowage.npu.placing import Placement, placed
from stowage.npu.tiling import DATA, NoTiling, tiled
from stowage.schedule.schedule import Step
from stowage.target.board import Npu
from stowage.target.kernels.kernel import KernelCall
from stowage.target.kernels.npu import MOST_INPUTS, MOST_OUTPUTS, npu_call

NO_DATA = bytes(1)
"""The data of a segment without parameters; C has no empty array."""


@dataclass(frozen=True, slots=True)
class Member:
    """A step that the NPU can take, and the layers that it is to it, on stored tensors."""

    step: Step
    layers: tuple[Layer, ...]


@dataclass(frozen=True, slots=True)
class Segment:
    """Members that run together.

    Attributes:
        members: in their order.
        inputs: values that others make.
        outputs: values that others need.
        placement: their work in steps and banks.
    """

    members: tuple[Member, ...]
    inputs: tuple[Value, ...]
    outputs: tuple[Value, ...]
    placement: Placement


def segment_of(members: Sequence[Member], inputs: Sequence[Value], outputs: Sequence[Value], npu: Npu) -> Segment:
    """Members as a segment.

    Raises:
        NoTiling: the NPU's banks are too small for it, or it has more inputs or outputs than a call takes.
    """
    if not 1 <= len(inputs) <= MOST_INPUTS or not 1 <= len(outputs) <= MOST_OUTPUTS:
        raise NoTiling(f"a segment of {len(inputs)} inputs and {len(outputs)} outputs")
    layers = [layer for member in members for layer in member.layers]
    sources, results = (frozenset(value.name for value in values) for values in (inputs, outputs))
    placement = placed(tiled(layers, sources, results, npu), npu)
    return Segment(tuple(members), tuple(inputs), tuple(outputs), placement)


def step_of(segment: Segment, npu: Npu) -> Step:
    """The one step that runs a segment."""
    names = tuple(member.step.node.name for member in segment.members)
    op = NpuSegment(names, tuple(value.type for value in segment.outputs))
    name = names[0] if len(names) == 1 else f"{names[0]}_to_{names[-1]}"
    return Step(Node(name, op, segment.inputs, segment.outputs), _call(segment, npu))


def windows_of(segment: Segment) -> dict[str, int]:
    """Numbers of a segment's windows by name: its data, then inputs, then outputs."""
    names = (DATA, *(value.name for value in (*segment.inputs, *segment.outputs)))
    return {name: number for number, name in enumerate(names)}


def _call(segment: Segment, npu: Npu) -> KernelCall:
    stream = emit(segment.placement, windows_of(segment), npu)
    data = np.frombuffer(segment.placement.tiling.data or NO_DATA, np.uint8)
    sizes = [value.type.size_bytes for value in segment.inputs]
    steps = decoded([int(word) for word in stream], npu)
    overlaps = overlaps_of(steps, sizes, segment.outputs[0].type.size_bytes)
    return npu_call(stream, data, segment.inputs, segment.outputs, overlaps)
