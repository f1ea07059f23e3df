# SPDX-License-Identifier: Apache-2.0
"""The memory report of a model: arena, lower bound, gap, peak, weights and every buffer, as text and as JSON."""

from __future__ import annotations

import json
from collections.abc import Iterator

from stowage.codegen.program import Port, Program
from stowage.memory.peak import peak_of, step_name
from stowage.memory.plan import Placed, Plan

Record = dict[str, object]


def memory_record(plan: Plan, program: Program) -> Record:
    """The report as plain data; all sizes and offsets in bytes."""
    peak = peak_of(plan)
    return {
        "model": program.name,
        "arena_bytes": plan.arena_bytes,
        "lower_bound_bytes": plan.bound_bytes,
        "gap_bytes": plan.arena_bytes - plan.bound_bytes,
        "arena_alignment_bytes": plan.alignment_bytes,
        "weights_bytes": weights_bytes(program),
        "steps": len(program.calls),
        "inputs": [_port(port) for port in program.inputs],
        "outputs": [_port(port) for port in program.outputs],
        "states": [{**_port(state.held), "output": state.output} for state in program.states],
        "peak": {"step": peak.step, "buffers": [_buffer(plan, placed) for placed in peak.live]},
        "buffers": [_buffer(plan, placed) for placed in plan.placed],
        "constants": [
            {"symbol": datum.symbol, "role": datum.role, "bytes": int(program.constants[datum.digest].nbytes)}
            for datum in program.data
        ],
    }


def memory_json(plan: Plan, program: Program) -> str:
    """The report as JSON."""
    return json.dumps(memory_record(plan, program), indent=2) + "\n"


def memory_text(plan: Plan, program: Program) -> str:
    """The report for people."""
    return "\n".join(_lines(plan, program)) + "\n"


def weights_bytes(program: Program) -> int:
    """Bytes of constant data in flash."""
    return sum(int(program.constants[datum.digest].nbytes) for datum in program.data)


def _lines(plan: Plan, program: Program) -> Iterator[str]:
    peak = peak_of(plan)
    gap = plan.arena_bytes - plan.bound_bytes
    verdict = "optimal" if gap == 0 else f"at most {gap:,} B above the optimum"
    yield f"Memory of {program.name}"
    yield f"  arena        {plan.arena_bytes:>10,} B   ({verdict}; lower bound {plan.bound_bytes:,} B)"
    yield f"  weights      {weights_bytes(program):>10,} B   in {len(program.data)} constants"
    yield f"  steps        {len(program.calls):>10,}"
    if program.states:
        names = ", ".join(state.held.identifier for state in program.states)
        kept_bytes = sum(state.held.value.type.size_bytes for state in program.states)
        yield f"  states       {kept_bytes:>10,} B   of the arena, kept between runs: {names}"
    yield f'  peak         in "{peak.step}", where these are alive:'
    yield from (_row(plan, placed) for placed in peak.live)
    yield "  buffers, by offset:"
    yield from (_row(plan, placed) for placed in sorted(plan.placed, key=lambda p: (p.offset_bytes, p.buffer.first)))


def _row(plan: Plan, placed: Placed) -> str:
    buffer = placed.buffer
    life = f"{step_name(plan, buffer.first)} .. {step_name(plan, buffer.last)}"
    return (
        f"    {placed.offset_bytes:>8,} .. {placed.end_bytes:>8,}  {buffer.size_bytes:>8,} B  {buffer.name}  ({life})"
    )


def _port(port: Port) -> Record:
    return {"name": port.identifier, "offset_bytes": port.offset_bytes, "size_bytes": port.value.type.size_bytes}


def _buffer(plan: Plan, placed: Placed) -> Record:
    buffer = placed.buffer
    return {
        "name": buffer.name,
        "region": placed.region,
        "offset_bytes": placed.offset_bytes,
        "size_bytes": buffer.size_bytes,
        "first_step": step_name(plan, buffer.first),
        "last_step": step_name(plan, buffer.last),
    }
