# SPDX-License-Identifier: Apache-2.0
"""What a model's part on the NPU does step by step, as text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from stowage.report.npu_record import Record


def npu_lines(record: Record) -> Iterator[str]:
    """A table a segment of its steps, and one of its bank map, indented as parts of the memory report."""
    machine = f"{record['banks']} banks of {record['bank_bytes']:,} B, {record['macs_per_cycle']:,} MACs a cycle"
    yield f"  NPU {record['name']}: {machine}; {_told(record)}"
    for segment in record["segments"]:
        yield f'  on the NPU, "{segment["step"]}", {len(segment["layers"])} layers: {_told(segment)}'
        yield f"    {'step':>5} {'cycles':>10} {'array':>7} {'moved B':>10} {'conflicts':>9}  what runs at once"
        yield from (_step(number, step) for number, step in enumerate(segment["steps"]))
        yield "    bank map, each with the steps from which on and up to which it is there:"
        yield from (_resident(each) for each in sorted(segment["residents"], key=lambda r: (r["bank"], r["first"])))


def told_step(step: Mapping[str, Any]) -> str:
    """What runs at once in a step: the array's command with its banks, and copies with theirs."""
    banks = ", ".join(f"{each['role']} {each['bank']}" for each in step["banks"])
    commands = [f"{step['command']} ({banks})"] if step["command"] else []
    copies = [f"{'out of' if each['is_out'] else 'into'} {each['bank']} ({each['window']})" for each in step["copies"]]
    return "; ".join([*commands, *copies])


def _told(figures: Mapping[str, Any]) -> str:
    share = f"{100 * figures['array_used_share']:.1f} %"
    conflicts = f"{figures['conflicts']} port conflicts"
    return f"{figures['cycles']:,} cycles, array used {share}, {figures['moved_bytes']:,} B moved, {conflicts}"


def _step(number: int, step: Mapping[str, Any]) -> str:
    share = f"{100 * step['array_used_share']:.1f} %"
    figures = f"{step['cycles']:>10,} {share:>7} {step['moved_bytes']:>10,} {step['conflicts']:>9}"
    return f"    {number:>5} {figures}  {told_step(step)}"


def _resident(each: Mapping[str, Any]) -> str:
    place = f"{each['offset_bytes']:>8,} .. {each['end_bytes']:>8,}"
    return f"      bank {each['bank']:>2} {place}   steps {each['first']:>4} .. {each['last']:>4}  {each['what']}"
