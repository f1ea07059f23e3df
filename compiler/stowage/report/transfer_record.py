# SPDX-License-Identifier: Apache-2.0
"""The timeline of a model whose weights are brought ahead of their steps, as plain data.

Times are units of the board's cost model (`transfers/cost_model.py`), from the start of a run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from stowage.memory.plan import Plan
from stowage.pipeline import Compiled
from stowage.transfers.prefetch import regions_of
from stowage.transfers.timeline import Flight, costed

Record = dict[str, Any]


def transfer_record(compiled: Compiled) -> Record:
    """The report.

    `hidden_share` is the part of the time in which copies move that steps run meanwhile, or None where there are none;
    `hidden_share_after_first` leaves out what the first step reads, which no step could hide.
    """
    plan, regions = compiled.plan, regions_of(compiled.target)
    steps = costed(replace(plan.schedule, transfers=()), regions)
    run, bare = steps.run(plan.schedule.transfers), steps.run(())
    names = [step.node.name for step in plan.schedule.steps]
    return {
        "model": compiled.program.name,
        "board": compiled.target.board,
        "channels": compiled.target.dma_channels,
        "source": regions.source.name,
        "source_read_cost": regions.source.read_cost,
        "destination": regions.destination.name,
        "destination_write_cost": regions.destination.write_cost,
        "destination_read_cost": regions.destination.read_cost,
        "arena_bytes": plan.arena_bytes,
        "transferred_bytes": sum(flight.size_bytes for flight in run.flights),
        "run_cost": run.end,
        "run_cost_without": bare.end,
        "transfer_cost": sum(flight.cost for flight in run.flights),
        "stall_cost": sum(flight.stall for flight in run.flights),
        "hidden_share": _hidden_share(run.flights),
        "hidden_share_after_first": _hidden_share([each for each in run.flights if each.transfer.moment > 1]),
        "steps": [
            {"step": name, "from": begin, "to": end} for name, (begin, end) in zip(names, run.steps, strict=True)
        ],
        "transfers": [_flight(flight, names, plan) for flight in run.flights],
    }


def _hidden_share(flights: Sequence[Flight]) -> float | None:
    moving = sum(flight.cost for flight in flights)
    return sum(flight.hidden for flight in flights) / moving if moving else None


def _flight(flight: Flight, names: list[str], plan: Plan) -> Record:
    transfer = flight.transfer
    place = next(placed for placed in plan.placed if placed.buffer.name == transfer.buffer)
    return {
        "buffer": transfer.buffer,
        "offset_bytes": place.offset_bytes,
        "size_bytes": flight.size_bytes,
        "starts_before": names[transfer.start - 1],
        "done_before": names[transfer.moment - 1],
        "read_by": [names[moment - 1] for moment in transfer.readers],
        "started": flight.started,
        "moved_from": flight.moved_from,
        "moved_to": flight.moved_to,
        "stall_cost": flight.stall,
    }
