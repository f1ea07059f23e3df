# SPDX-License-Identifier: Apache-2.0
"""The memory report of a pool: who has which bytes of the arena when, and what sharing them saves."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from types import MappingProxyType
from typing import Any

from stowage.codegen.program import Program
from stowage.codegen.shared_data import SharedData
from stowage.memory.lives import lives
from stowage.memory.peak import peak_of
from stowage.memory.plan import Placed, Plan
from stowage.memory.planner import place
from stowage.memory.pool import PoolPlan
from stowage.memory.pool_what_if import hungriest, what_would_help_pool
from stowage.report.memory_record import Record, own_weights_bytes, weights_bytes
from stowage.report.page.turns_page import pool_page
from stowage.report.short_name import short_name
from stowage.report.side_by_side import Arena, side_by_side
from stowage.target.board import Role
from stowage.target.target import Target

ALWAYS, BETWEEN = "always", "between runs"


@dataclass(frozen=True, slots=True)
class PoolReport:
    """What the report of a pool is made of.

    Attributes:
        plan: where everything lies.
        programs: the models.
        shared: the constants that two models or more read.
        target: the board.
    """

    plan: PoolPlan
    programs: tuple[Program, ...]
    shared: SharedData
    target: Target


def pool_memory_files(report: PoolReport) -> dict[str, str]:
    """The report in all its forms, by file name."""
    name = report.plan.name
    return {f"{name}_memory{ending}": POOL_FORMATS[form](report) for form, ending in _ENDINGS.items()}


def pool_record(report: PoolReport) -> Record:
    """The report as plain data; sizes and offsets in bytes.

    `spans` are the bytes that belong to one owner at all times or between runs; above `kept_bytes` the models share.
    """
    pool, region = report.plan, report.target.preferred(Role.ARENA)
    apart_bytes = sum(place(lives(plan.schedule)).peak_bytes for plan in pool.plans)
    apart_bytes += sum(placed.buffer.size_bytes for placed in pool.buffers)
    own_bytes = sum(own_weights_bytes(program) for program in report.programs)
    return {
        "pool": pool.name,
        "board": report.target.board,
        "region": region.name,
        "capacity_bytes": region.capacity_bytes,
        "arena_bytes": pool.arena_bytes,
        "lower_bound_bytes": pool.bound_bytes,
        "gap_bytes": pool.arena_bytes - pool.bound_bytes,
        "arena_alignment_bytes": pool.alignment_bytes,
        "apart_bytes": apart_bytes,
        "saved_bytes": apart_bytes - pool.arena_bytes,
        "kept_bytes": pool.kept_bytes,
        "weights_bytes": report.shared.size_bytes + own_bytes,
        "shared_weights_bytes": report.shared.size_bytes,
        "apart_weights_bytes": sum(weights_bytes(program) for program in report.programs),
        "makes_peak": hungriest(pool).schedule.name,
        "models": [_model(pool, *pair) for pair in zip(pool.plans, report.programs, strict=True)],
        "spans": sorted(_spans(pool), key=lambda span: int(span["offset_bytes"])),
        "advice": [asdict(change) for change in what_would_help_pool(pool)],
    }


def _model(pool: PoolPlan, plan: Plan, program: Program) -> Record:
    """What a model uses above all that stays, while it runs."""
    peak = peak_of(plan)
    end_bytes = max((placed.end_bytes for placed in plan.placed), default=0)
    states = [placed for placed in plan.placed if _is_state(plan, placed)]
    return {
        "model": plan.schedule.name,
        "states_bytes": sum(placed.buffer.size_bytes for placed in states),
        "run_bytes": max(0, end_bytes - pool.kept_bytes),
        "own_weights_bytes": own_weights_bytes(program),
        "peak_step": peak.step,
    }


def _is_state(plan: Plan, placed: Placed) -> bool:
    return placed.buffer.name in {state.held.name for state in plan.schedule.states}


def _spans(pool: PoolPlan) -> Iterator[dict[str, Any]]:
    for plan in pool.plans:
        for placed in (each for each in plan.placed if _is_state(plan, each)):
            what = f'state "{placed.buffer.name}" of {plan.schedule.name}'
            yield _span(what, placed.offset_bytes, placed.buffer.size_bytes, ALWAYS)
    for caller in pool.buffers:
        when = ALWAYS if caller.buffer.is_kept else BETWEEN
        yield _span(f"the caller's {caller.buffer.name}", caller.offset_bytes, caller.buffer.size_bytes, when)


def _span(what: str, offset_bytes: int, size_bytes: int, when: str) -> dict[str, Any]:
    return {"what": what, "offset_bytes": offset_bytes, "size_bytes": size_bytes, "when": when}


def _text(report: PoolReport) -> str:
    return "\n".join(_lines(pool_record(report))) + "\n"


def _json(report: PoolReport) -> str:
    return json.dumps(pool_record(report), indent=2) + "\n"


def _page(report: PoolReport) -> str:
    record = pool_record(report)
    arena = Arena(record["pool"], record["arena_bytes"], record["region"], record["capacity_bytes"])
    kept = [span for span in record["spans"] if span["when"] == ALWAYS]
    return pool_page(record, side_by_side(arena, [(plan.schedule.name, plan) for plan in report.plan.plans], kept))


def _lines(record: Record) -> Iterator[str]:
    gap = record["gap_bytes"]
    verdict = "optimal" if gap == 0 else f"at most {gap:,} B above the optimum"
    yield f"Memory of pool {record['pool']} on board {record['board']}"
    yield f"  arena        {record['arena_bytes']:>10,} B   ({verdict}; lower bound {record['lower_bound_bytes']:,} B)"
    yield f"  region       {record['capacity_bytes']:>10,} B   in {record['region']}"
    yield f"  apart        {record['apart_bytes']:>10,} B   if each had its own: {record['saved_bytes']:,} B are saved"
    yield f"  kept         {record['kept_bytes']:>10,} B   from run to run"
    spared = record["apart_weights_bytes"] - record["weights_bytes"]
    yield f"  weights      {record['weights_bytes']:>10,} B   stored once: {spared:,} B are saved"
    yield "  above that, while it runs:"
    for model in record["models"]:
        most = ": no other model needs more" if model["model"] == record["makes_peak"] else ""
        step = short_name(model["peak_step"])
        yield f'    {model["run_bytes"]:>10,} B   {model["model"]}, the most in "{step}"{most}'
    for when in (ALWAYS, BETWEEN):
        rows = [_row(span) for span in record["spans"] if span["when"] == when]
        yield from [f"  of one owner {when}:", *rows] if rows else []
    if record["advice"]:
        yield "  what would make the arena smaller:"
        yield from (f"    {each['change']}: about {each['arena_bytes']:,} B" for each in record["advice"])


def _row(span: dict[str, Any]) -> str:
    start, size = span["offset_bytes"], span["size_bytes"]
    return f"    {start:>8,} .. {start + size:>8,}  {size:>8,} B  {span['what']}"


POOL_FORMATS: Mapping[str, Callable[[PoolReport], str]] = MappingProxyType(
    {"text": _text, "json": _json, "html": _page}
)
"""The forms of the report by name."""
_ENDINGS = {"text": ".txt", "json": ".json", "html": ".html"}
