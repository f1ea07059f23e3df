# SPDX-License-Identifier: Apache-2.0
"""The timeline of a model's transfers as text, JSON, a page, and a trace that Perfetto and chrome://tracing open."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any

from stowage.pipeline import Compiled
from stowage.report.page.transfer_page import transfer_page
from stowage.report.transfer_record import Record, transfer_record

_LONGEST_NAME = 40
_PROCESS, _CORE, _DMA = 1, 1, 2


def transfer_files(compiled: Compiled) -> dict[str, str]:
    """The report in all its forms, by file name."""
    record = transfer_record(compiled)
    name = f"{record['model']}_transfers"
    return {
        f"{name}.txt": transfer_text(record),
        f"{name}.json": json.dumps(record, indent=2) + "\n",
        f"{name}.html": transfer_page(record),
        f"{name}.trace.json": transfer_trace(record),
    }


def transfer_text(record: Record) -> str:
    """The report for people."""
    return "\n".join(_lines(record)) + "\n"


def transfer_trace(record: Record) -> str:
    """The timeline in the Trace Event Format; a unit of the cost model is shown as a microsecond.

    An arrow goes from each copy to every step that reads what it brings.
    """
    process = {"ph": "M", "name": "process_name", "pid": _PROCESS, "tid": _CORE, "args": {"name": record["model"]}}
    events = [process, _named(_CORE, "core"), _named(_DMA, "DMA")]
    events += [_span(_CORE, each["step"], each["from"], each["to"], {}) for each in record["steps"]]
    for each in record["transfers"]:
        told = {key: each[key] for key in ("size_bytes", "starts_before", "done_before", "stall_cost")}
        events.append(_span(_DMA, each["buffer"], each["moved_from"], each["moved_to"], told))
    events += _arrows(record)
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ns"}, indent=1) + "\n"


def _arrows(record: Record) -> Iterator[Record]:
    begins = {each["step"]: each["from"] for each in record["steps"]}
    pairs = ((copy, reader) for copy in record["transfers"] for reader in copy["read_by"])
    for number, (copy, reader) in enumerate(pairs, 1):
        arrow = {"name": "brings", "cat": "transfer", "id": number, "pid": _PROCESS}
        yield {"ph": "s", **arrow, "tid": _DMA, "ts": copy["moved_from"]}
        yield {"ph": "f", "bp": "e", **arrow, "tid": _CORE, "ts": begins[reader]}


def _named(thread: int, name: str) -> Record:
    return {"ph": "M", "name": "thread_name", "pid": _PROCESS, "tid": thread, "args": {"name": name}}


def _span(thread: int, name: str, begin: int, end: int, told: dict[str, Any]) -> Record:
    return {"ph": "X", "name": name, "pid": _PROCESS, "tid": thread, "ts": begin, "dur": end - begin, "args": told}


def _lines(record: Record) -> Iterator[str]:
    yield f"Transfers of {record['model']} on board {record['board']}"
    yield from _summary(record)
    yield "  times are units of the board's cost model: a multiply-accumulate, or a byte read at cost 1"
    if record["transfers"]:
        yield f"  {'copies':<{_LONGEST_NAME}} {'bytes':>8} {'from':>12} {'to':>12} {'stall':>8}  while these run"
    for each in record["transfers"]:
        span = f'"{_short(each["starts_before"])}" until before "{_short(each["done_before"])}"'
        if len(each["read_by"]) > 1:
            span += f", read by {len(each['read_by'])} steps"
        yield (
            f"    {_short(each['buffer']):<{_LONGEST_NAME - 2}} {each['size_bytes']:>8,} {each['moved_from']:>12,} "
            f"{each['moved_to']:>12,} {each['stall_cost']:>8,}  {span}"
        )
    yield f"  {'steps':<{_LONGEST_NAME}} {'':>8} {'from':>12} {'to':>12}"
    for each in record["steps"]:
        yield f"    {_short(each['step']):<{_LONGEST_NAME - 2}} {'':>8} {each['from']:>12,} {each['to']:>12,}"


def _summary(record: Record) -> Iterator[str]:
    if not record["channels"]:
        yield "  the board has no DMA controller: weights are read where they lie"
        return
    source, destination = record["source"], record["destination"]
    if not record["transfers"]:
        yield f"  none pays: weights are read from {source} (cost {record['source_read_cost']} a byte)"
        return
    faster = record["run_cost_without"] / record["run_cost"]
    yield f"  from         {source} (cost {record['source_read_cost']} a byte) to {destination}"
    yield f"               (cost {record['destination_read_cost']}, written {record['destination_write_cost']})"
    yield f"  bytes        {record['transferred_bytes']:>12,}   in {len(record['transfers'])} copies"
    yield f"  arena        {record['arena_bytes']:>12,} B"
    yield f"  run          {record['run_cost']:>12,}"
    yield f"  without them {record['run_cost_without']:>12,}   {faster:.2f} times as long"
    yield f"  copies move  {record['transfer_cost']:>12,}   {100 * record['hidden_share']:.1f} % of it hidden by steps"
    rest = record["hidden_share_after_first"]
    if rest is not None and rest != record["hidden_share"]:
        yield f"               {'':>12}   {100 * rest:.1f} % without those of the first step, which nothing could hide"
    yield f"  stalls       {record['stall_cost']:>12,}"


def _short(name: str) -> str:
    """A name, or its end where it is long."""
    return name if len(name) <= _LONGEST_NAME - 2 else f"…{name[3 - _LONGEST_NAME :]}"
