# SPDX-License-Identifier: Apache-2.0
"""Schedule to Schedule: what an NPU can do is done there, in as few segments as can be.

Every step has a depth: how often data change between processor and NPU on the way to it, at most. No order of the
steps has fewer changes than the greatest depth, and the order by depth has no more. All of the NPU's steps of one depth
become one segment, or several where its banks hold no more at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stowage.ir.graph import Arithmetic, Value
from stowage.npu.check import check_stream
from stowage.npu.check_layers import check_layers
from stowage.npu.check_overlaps import check_overlaps
from stowage.npu.layer import Layer
from stowage.npu.layers import layers_of, renamed
from stowage.npu.segment import Member, Segment, segment_of, step_of
from stowage.npu.tiling import NoTiling
from stowage.npu.usage import stream_of
from stowage.schedule.schedule import Schedule, Step, in_base_order
from stowage.target.board import Npu
from stowage.target.kernels.kernel import Site


def on_npu(schedule: Schedule, arithmetic: Arithmetic, npu: Npu) -> Schedule:
    """The schedule with the NPU's steps as segments, checked.

    Raises:
        InvalidPlan: a stream is not sound.
    """
    parts = parts_of(schedule, arithmetic, npu)
    return _with_steps(schedule, [part if isinstance(part, Step) else _checked(part, npu) for part in parts])


def parts_of(schedule: Schedule, arithmetic: Arithmetic, npu: Npu) -> list[Step | Segment]:
    """The schedule in its new order: steps that stay the processor's, and the NPU's segments."""
    partition = _Partition(schedule, arithmetic, npu)
    return [part for group in partition.groups() for part in partition.segments(group)]


def _checked(segment: Segment, npu: Npu) -> Step:
    """The step of a segment."""
    step = step_of(segment, npu)
    check_segment(step, [layer for member in segment.members for layer in member.layers], npu)
    return step


def check_segment(step: Step, layers: Sequence[Layer], npu: Npu) -> None:
    """Proves that a segment is sound, that it computes its layers, and that it may lie over its inputs as it says.

    Raises:
        InvalidPlan: names the step and what is wrong.
    """
    check_stream(step, npu)
    stream = stream_of(step, npu)
    check_layers(step, stream, layers, npu)
    check_overlaps(step, stream)


def _with_steps(schedule: Schedule, steps: Sequence[Step]) -> Schedule:
    """The schedule of other steps, without views of what nobody makes any more."""
    made = {value.name for step in steps for value in step.node.outputs} | {value.name for value in schedule.inputs}
    views = [view for view in schedule.views if view.base.name in made]
    return replace(schedule, steps=tuple(steps), views=in_base_order(views, schedule.inputs, steps))


class _Partition:
    """A schedule with what is asked of it again and again."""

    def __init__(self, schedule: Schedule, arithmetic: Arithmetic, npu: Npu) -> None:
        self.schedule = schedule
        self.npu = npu
        self.bases = {view.value.name: view.base for view in schedule.views}
        self.arithmetic = arithmetic
        self.arrays = {value.name: schedule.constants[digest] for value, digest in schedule.constant_values}
        self.members = {id(step): self._member(step) for step in schedule.steps}
        self.read_by = self._readers()

    def _base(self, value: Value) -> Value:
        return self.bases.get(value.name, value)

    def _readers(self) -> dict[str, list[int]]:
        """Who reads the bytes of each stored value; `_CALLER` reads the outputs."""
        readers: dict[str, list[int]] = {}
        for step in self.schedule.steps:
            for value in step.node.inputs:
                readers.setdefault(self._base(value).name, []).append(id(step))
        for value in self.schedule.outputs:
            readers.setdefault(self._base(value).name, []).append(_CALLER)
        return readers

    def _member(self, step: Step) -> Member | None:
        """The step as the NPU's, if that can run it by itself."""
        own = {value.name: self.arrays[value.name] for value in step.node.inputs if value.name in self.arrays}
        layers = layers_of(step, Site(own, self.arithmetic), frozenset(self.npu.operators))
        if layers is None:
            return None
        names = {name: base.name for name, base in self.bases.items()}
        member = Member(step, tuple(renamed(layer, names) for layer in layers))
        try:
            segment_of([member], self._inputs([member]), step.node.outputs, self.npu)
        except NoTiling:
            return None
        return member

    def groups(self) -> list[list[Step]]:
        """Steps of one depth, in the schedule's order, by rising depth."""
        depths: dict[str, tuple[int, bool]] = {}
        groups: dict[int, list[Step]] = {}
        for step in self.schedule.steps:
            is_npu = self.members[id(step)] is not None
            before = [depths[name] for name in (self._base(v).name for v in step.node.inputs) if name in depths]
            depth = max((there + (was_npu != is_npu) for there, was_npu in before), default=int(is_npu))
            groups.setdefault(depth, []).append(step)
            depths.update((value.name, (depth, is_npu)) for value in step.node.outputs)
        return [groups[depth] for depth in sorted(groups)]

    def segments(self, group: Sequence[Step]) -> list[Segment | Step]:
        """A group's steps as they are, or as segments, each as long as can be."""
        if self.members[id(group[0])] is None:
            return list(group)
        members = [member for step in group if (member := self.members[id(step)]) is not None]
        segments: list[Segment | Step] = []
        while members:
            segment = self._longest(members)
            segments.append(segment)
            members = members[len(segment.members) :]
        return segments

    def _longest(self, members: Sequence[Member]) -> Segment:
        """As many of the members, from the first on, as the NPU takes at once."""
        best = self._segment(members[:1])
        for count in range(2, len(members) + 1):
            try:
                best = self._segment(members[:count])
            except NoTiling:
                if self._is_closed(members[:count]):
                    break
        return best

    def _is_closed(self, members: Sequence[Member]) -> bool:
        """Whether a failure is one of room: fewer inputs or outputs may come of more members."""
        return len(self._inputs(members)) <= _LIKELY and len(self._outputs(members)) <= _LIKELY

    def _segment(self, members: Sequence[Member]) -> Segment:
        return segment_of(members, self._inputs(members), self._outputs(members), self.npu)

    def _inputs(self, members: Sequence[Member]) -> list[Value]:
        made = {value.name for member in members for value in member.step.node.outputs}
        values = [self._base(value) for member in members for value in member.step.node.inputs]
        read = {tensor.name for member in members for layer in member.layers for tensor in layer.inputs}
        return list({value.name: value for value in values if value.name in read and value.name not in made}.values())

    def _outputs(self, members: Sequence[Member]) -> list[Value]:
        own = {id(member.step) for member in members}
        values = [value for member in members for value in member.step.node.outputs]
        return [value for value in values if set(self.read_by.get(value.name, [_CALLER])) - own]


_CALLER = -1
"""Stands for who reads the outputs."""

_LIKELY = 2
"""Inputs and outputs up to which a segment that is not taken is too large, rather than half of something."""
