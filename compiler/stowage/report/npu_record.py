# SPDX-License-Identifier: Apache-2.0
"""What a model's part on the NPU does step by step, as plain data: bank map, bytes, conflicts, use.

All of it is read from the command streams, by the timing of hal/npu/README.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import Any

from stowage.ir.ops.npu import NpuSegment
from stowage.npu.bank_map import residents_of
from stowage.npu.decode import StreamStep
from stowage.npu.usage import Usage, stream_of, usage_of
from stowage.pipeline import Compiled
from stowage.schedule.schedule import Step
from stowage.target.board import Npu

Record = dict[str, Any]


def npu_record(compiled: Compiled) -> Record | None:
    """The NPU's segments with their steps, or None where it runs nothing of the model.

    A step's `banks` are those that the array uses, each with its role; `residents` of a segment are the bank map: what
    lies where from which step to which.
    """
    npu = compiled.target.npu
    segments = [step for step in compiled.schedule.steps if isinstance(step.node.op, NpuSegment)]
    if npu is None or not segments:
        return None
    steps = [each for segment in segments for each in stream_of(segment, npu)]
    return {
        "name": npu.name,
        "banks": npu.banks,
        "bank_bytes": npu.bank_bytes,
        "macs_per_cycle": npu.macs_per_cycle,
        **_figures(usage_of(steps, npu)),
        "segments": [_segment(segment, npu) for segment in segments],
    }


def _segment(segment: Step, npu: Npu) -> Record:
    assert isinstance(segment.node.op, NpuSegment)
    steps = stream_of(segment, npu)
    windows = ["data", *(value.name for value in (*segment.node.inputs, *segment.node.outputs))]
    return {
        "step": segment.node.name,
        "layers": list(segment.node.op.layers),
        **_figures(usage_of(steps, npu)),
        "steps": [_step(step, windows, npu) for step in steps],
        "residents": [asdict(each) for each in residents_of(steps, windows, npu)],
    }


def _step(step: StreamStep, windows: Sequence[str], npu: Npu) -> Record:
    accesses = [access for each in step.computations for access in (*each.reads, each.write)]
    return {
        "command": ", ".join(each.name for each in step.computations),
        "banks": [{"bank": access.bank, "role": access.role} for access in accesses],
        "copies": [
            {
                "bank": each.inside.bank,
                "window": windows[each.window],
                "is_out": each.is_out,
                "size_bytes": each.size_bytes,
            }
            for each in step.transfers
        ],
        **_figures(usage_of([step], npu)),
    }


def _figures(usage: Usage) -> Record:
    return {
        "moved_bytes": usage.bytes_in + usage.bytes_out,
        "conflicts": usage.conflicts,
        "cycles": usage.cycles,
        "macs": usage.macs,
        "array_used_share": usage.utilisation,
    }
