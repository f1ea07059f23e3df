# SPDX-License-Identifier: Apache-2.0
"""The memory report of a model as plain data, which its text, JSON and page are made of. Sizes and offsets in bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

from stowage.codegen.program import Port, Program
from stowage.codegen.shared_data import own_data
from stowage.ir.graph import Value
from stowage.memory.peak import Moment, fullest, moments_of, step_name
from stowage.memory.plan import Placed, Plan
from stowage.memory.what_if import what_would_help, without_peak
from stowage.pipeline import Compiled
from stowage.quantise.work import macs
from stowage.report.constants import bytes_by_kind, kind_of
from stowage.report.floor import floor_without_sharing_bytes
from stowage.report.npu_record import npu_record
from stowage.report.stripes_cost import without_stripes
from stowage.report.waterfall import waterfall
from stowage.schedule.schedule import storage
from stowage.target.board import Role
from stowage.target.target import Target
from stowage.tiles.cuts import spans

Record = dict[str, Any]


def memory_record(compiled: Compiled) -> Record:
    """The report.

    `timeline` has an entry a moment: the caller's writing of inputs, every step, the caller's reading of outputs.
    `buffers` count their lives in these. `npu` is there where the board's NPU runs a part of the model.
    """
    plan, program = compiled.plan, compiled.program
    moments = moments_of(plan)
    peak = fullest(moments)
    timeline = list(timeline_of(plan, moments))
    return {
        "model": program.name,
        "pool": program.share.pool if program.share else "",
        "size_of": program.variant.model if program.variant else "",
        "board": compiled.target.board,
        "arena_bytes": plan.arena_bytes,
        "lower_bound_bytes": plan.bound_bytes,
        "gap_bytes": plan.arena_bytes - plan.bound_bytes,
        "further_arenas": [
            {"name": each.name, "region": each.region, "role": each.role, "size_bytes": each.size_bytes}
            for each in program.further_arenas
        ],
        "traffic_cost": plan.further.cost if plan.further else 0,
        "traffic_cost_bound": plan.further.bound if plan.further else 0,
        "order_gap_bytes": plan.schedule.order_gap_bytes,
        "stripes": [asdict(segment) for segment in compiled.tiling],
        "without_stripes": without_stripes(compiled),
        "floor_without_sharing_bytes": floor_without_sharing_bytes(compiled),
        "arena_alignment_bytes": plan.alignment_bytes,
        "weights_bytes": weights_bytes(program),
        "steps": len(program.calls),
        "macs": sum(entry["macs"] for entry in timeline),
        "regions": _regions(compiled.target, plan, program),
        "inputs": [_port(port) for port in program.inputs],
        "fed_input": None if program.fed is None else _fed(program, program.fed.value),
        "outputs": [_port(port) for port in program.outputs],
        "states": [{**_port(state.held), "output": state.output} for state in program.states],
        "peak": {
            "step": peak.step,
            "moment": moments.index(peak),
            "used_bytes": peak.used_bytes,
            "buffers": [_buffer(plan, placed) for placed in peak.live],
        },
        "saved": [asdict(stage) for stage in waterfall(compiled)],
        "advice": _advice(compiled),
        "timeline": timeline,
        **({"npu": npu} if (npu := npu_record(compiled)) else {}),
        "buffers": list(buffers_of(plan, moments)),
        "constant_kinds": bytes_by_kind(program),
        "constants": [
            {
                "symbol": datum.symbol,
                "role": datum.role,
                "kind": kind_of(datum),
                "bytes": int(program.constants[datum.digest].nbytes),
            }
            for datum in program.data
        ],
    }


def weights_bytes(program: Program) -> int:
    """Bytes of constant data in flash."""
    return sum(int(program.constants[datum.digest].nbytes) for datum in program.data)


def own_weights_bytes(program: Program) -> int:
    """Bytes of those constants that no other model of its pool reads, and no other size of its model."""
    return sum(int(program.constants[datum.digest].nbytes) for datum in own_data(program))


def _bytes_in(program: Program, region: str | None) -> int:
    """Bytes of constant data in one region, or in the preferred one."""
    return sum(int(program.constants[each.digest].nbytes) for each in program.data if each.region == region)


def _regions(target: Target, plan: Plan, program: Program) -> list[Record]:
    """What the model takes of the board's memory, by region and role; its code is known to the linker alone."""
    preferred, *others = target.roles[Role.WEIGHTS]
    taken = [(target.preferred(Role.ARENA), Role.ARENA, plan.arena_bytes)]
    for arena in program.further_arenas:
        role = Role(arena.role)
        region = next(each for each in target.roles[role] if each.name == arena.region)
        taken.append((region, role, arena.size_bytes))
    taken.append((preferred, Role.WEIGHTS, _bytes_in(program, None)))
    taken += [(each, Role.WEIGHTS, used) for each in others if (used := _bytes_in(program, each.name))]
    return [
        {"region": region.name, "role": role.value, "used_bytes": used, "capacity_bytes": region.capacity_bytes}
        for region, role, used in taken
    ]


def _advice(compiled: Compiled) -> Record:
    """In a pool a model's changes may change nothing: the pool's report says who makes the peak."""
    plan = compiled.plan
    rest = without_peak(plan)
    is_alone = not (plan.share or plan.further)
    return {
        "changes": [asdict(each) for each in what_would_help(plan)] if is_alone else [],
        "stripes_possible": is_alone and not compiled.tiling and any(True for _ in spans(compiled.graph)),
        "without_peak_bytes": rest.arena_bytes,
        "next_peak_step": rest.peak_step,
    }


def timeline_of(plan: Plan, moments: list[Moment]) -> Iterator[Record]:
    """What happens at each moment, and the bytes that are in use then."""
    for number, moment in enumerate(moments):
        inside = 0 < number <= len(plan.schedule.steps)
        node = plan.schedule.steps[number - 1].node if inside else None
        yield {
            "step": moment.step,
            "operator": node.op.mnemonic if node else "",
            "result": ", ".join(_type(value) for value in node.outputs) if node else "",
            "used_bytes": moment.used_bytes,
            "live_bytes": sum(placed.buffer.size_bytes for placed in moment.live),
            "macs": macs(node) if node else 0,
        }


def buffers_of(plan: Plan, moments: list[Moment]) -> Iterator[Record]:
    """All buffers, each with what it is and with whom it shares bytes while both live."""
    schedule = plan.schedule
    made = [value for step in schedule.steps for value in step.node.outputs]
    wholes = [join.whole for join in schedule.joins]
    values = {value.name: value for value in (*schedule.inputs, *made, *wholes)}
    within = storage(schedule)
    stored = (within[value.name].base if value.name in within else value for value in schedule.outputs)
    kinds = dict.fromkeys((value.name for value in stored), "output")
    kinds |= dict.fromkeys((value.name for value in schedule.inputs), "input")
    kinds |= dict.fromkeys((state.held.name for state in schedule.states), "state")
    kinds |= dict.fromkeys((transfer.buffer for transfer in schedule.transfers), "staged")
    for placed in plan.placed:
        name = placed.buffer.name
        yield {
            **_buffer(plan, placed),
            "kind": kinds.get(name, "tensor" if name in values else "scratch"),
            "type": _type(values[name]) if name in values else "",
            "first": placed.buffer.first,
            "last": placed.buffer.last,
            "over": _shared(placed, moments[placed.buffer.first].live),
        }


def _shared(placed: Placed, live: tuple[Placed, ...]) -> list[str]:
    """Of those alive when a buffer is born, the older ones that have a byte in common with it."""
    return [
        other.buffer.name
        for other in live
        if other.buffer.first < placed.buffer.first
        and other.offset_bytes < placed.end_bytes
        and placed.offset_bytes < other.end_bytes
    ]


def _fed(program: Program, value: Value) -> Record:
    """The input that comes by rows, of which at most `rows_at_once` are asked for together."""
    rows = value.type.shape[1]
    at_once = max(call.rows for call in program.calls)
    return {"name": value.name, "rows": rows, "row_bytes": value.type.size_bytes // rows, "rows_at_once": at_once}


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


def _type(value: Value) -> str:
    """For instance "i8 1x8x8x16"."""
    return f"{value.type.dtype.value} {'x'.join(map(str, value.type.shape)) or 'scalar'}"
