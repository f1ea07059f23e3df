# SPDX-License-Identifier: Apache-2.0
"""The memory report of a pool: who has which bytes of the arena when, and what sharing them saves."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from stowage.memory.lives import lives
from stowage.memory.peak import peak_of
from stowage.memory.plan import Placed, Plan
from stowage.memory.planner import place
from stowage.memory.pool import PoolPlan
from stowage.memory.pool_fit import hungriest
from stowage.report.memory_record import Record
from stowage.report.memory_report import short_name
from stowage.target.board import Role
from stowage.target.target import Target

ALWAYS, BETWEEN = "always", "between runs"


def pool_files(pool: PoolPlan, target: Target) -> dict[str, str]:
    """The report as text and as JSON, by file name."""
    record = pool_record(pool, target)
    text = "\n".join(_lines(record)) + "\n"
    return {f"{pool.name}_memory.txt": text, f"{pool.name}_memory.json": json.dumps(record, indent=2) + "\n"}


def pool_record(pool: PoolPlan, target: Target) -> Record:
    """The report as plain data; sizes and offsets in bytes.

    `spans` are the bytes that belong to one owner at all times or between runs; above `kept_bytes` the models share.
    """
    region = target.preferred(Role.ARENA)
    apart_bytes = sum(place(lives(plan.schedule)).peak_bytes for plan in pool.plans)
    apart_bytes += sum(placed.buffer.size_bytes for placed in pool.buffers)
    return {
        "pool": pool.name,
        "board": target.board,
        "region": region.name,
        "capacity_bytes": region.capacity_bytes,
        "arena_bytes": pool.arena_bytes,
        "lower_bound_bytes": pool.bound_bytes,
        "gap_bytes": pool.arena_bytes - pool.bound_bytes,
        "arena_alignment_bytes": pool.alignment_bytes,
        "apart_bytes": apart_bytes,
        "saved_bytes": apart_bytes - pool.arena_bytes,
        "kept_bytes": pool.kept_bytes,
        "makes_peak": hungriest(pool).schedule.name,
        "models": [_model(pool, plan) for plan in pool.plans],
        "spans": sorted(_spans(pool), key=lambda span: int(span["offset_bytes"])),
    }


def _model(pool: PoolPlan, plan: Plan) -> Record:
    """What a model uses above all that stays, while it runs."""
    peak = peak_of(plan)
    end_bytes = max((placed.end_bytes for placed in plan.placed), default=0)
    states = [placed for placed in plan.placed if _is_state(plan, placed)]
    return {
        "model": plan.schedule.name,
        "states_bytes": sum(placed.buffer.size_bytes for placed in states),
        "run_bytes": max(0, end_bytes - pool.kept_bytes),
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


def _lines(record: Record) -> Iterator[str]:
    gap = record["gap_bytes"]
    verdict = "optimal" if gap == 0 else f"at most {gap:,} B above the optimum"
    yield f"Memory of pool {record['pool']} on board {record['board']}"
    yield f"  arena        {record['arena_bytes']:>10,} B   ({verdict}; lower bound {record['lower_bound_bytes']:,} B)"
    yield f"  region       {record['capacity_bytes']:>10,} B   in {record['region']}"
    yield f"  apart        {record['apart_bytes']:>10,} B   if each had its own: {record['saved_bytes']:,} B are saved"
    yield f"  kept         {record['kept_bytes']:>10,} B   from run to run"
    yield "  above that, while it runs:"
    for model in record["models"]:
        most = ": no other model needs more" if model["model"] == record["makes_peak"] else ""
        step = short_name(model["peak_step"])
        yield f'    {model["run_bytes"]:>10,} B   {model["model"]}, the most in "{step}"{most}'
    for when in (ALWAYS, BETWEEN):
        rows = [_row(span) for span in record["spans"] if span["when"] == when]
        yield from [f"  of one owner {when}:", *rows] if rows else []


def _row(span: dict[str, Any]) -> str:
    start, size = span["offset_bytes"], span["size_bytes"]
    return f"    {start:>8,} .. {start + size:>8,}  {size:>8,} B  {span['what']}"
