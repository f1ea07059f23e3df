# SPDX-License-Identifier: Apache-2.0
"""The memory report of a model as text and as JSON: arena, bound, peak, what was saved, what would help, buffers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from types import MappingProxyType
from typing import Any

from stowage.pipeline import Compiled
from stowage.report.memory_record import Record, memory_record
from stowage.report.npu_lines import npu_lines
from stowage.report.page.page import memory_page
from stowage.report.short_name import short_name
from stowage.tiles.tiling import Segment, told


def memory_files(compiled: Compiled) -> dict[str, str]:
    """The report in all its forms, by file name."""
    record = memory_record(compiled)
    return {f"{record['model']}_memory{ending}": FORMATS[form](record) for form, ending in _ENDINGS.items()}


def memory_json(record: Record) -> str:
    """The report as JSON."""
    return json.dumps(record, indent=2) + "\n"


def memory_text(record: Record) -> str:
    """The report for people."""
    return "\n".join(_lines(record)) + "\n"


def advice_lines(record: Record) -> Iterator[str]:
    """What would make the arena smaller, a sentence each."""
    arena_bytes, advice = record["arena_bytes"], record["advice"]
    if record["pool"]:
        yield f"the arena is that of {record['pool']}, whose report says which model makes it as large as it is"
        return
    for each in advice["changes"]:
        share = 100 * each["arena_bytes"] / arena_bytes
        peak = short_name(each["peak_step"])
        yield f'{each["change"]}: about {each["arena_bytes"]:,} B ({share:.0f} %), with the peak in "{peak}"'
    if advice["stripes_possible"]:
        yield "wide layers in stripes of rows (ram = …): `stowage pareto` tells how low and at what cost"
    rest = short_name(advice["next_peak_step"])
    if advice["without_peak_bytes"] < arena_bytes:
        yield f'smaller tensors at the peak alone leave at least {advice["without_peak_bytes"]:,} B, for "{rest}"'
    else:
        yield "smaller tensors at the peak alone save nothing: other steps need as much"
    if record["gap_bytes"]:
        yield f"{record['gap_bytes']:,} B are the gap to the bound, which another placement might save in part"


def _traffic(record: Record) -> str:
    """How near the choice of what lies in which region is to the cheapest."""
    cost, bound = record["traffic_cost"], record["traffic_cost_bound"]
    verdict = "the least" if cost == bound else f"at most {100 * (cost - bound) / bound:.1f} % above the least"
    return f"reads and writes cost {cost:,}, {verdict}"


def _lines(record: Record) -> Iterator[str]:
    gap, peak = record["gap_bytes"], record["peak"]
    verdict = "optimal" if gap == 0 else f"at most {gap:,} B above the optimum"
    yield f"Memory of {record['model']} on board {record['board']}"
    bound = f"lower bound {record['lower_bound_bytes']:,} B"
    yield f"  arena        {record['arena_bytes']:>10,} B   ({verdict}; {bound})"
    for each in record["further_arenas"]:
        yield f"  in {each['region']:<9} {each['size_bytes']:>10,} B   (arena_{each['name']})"
    if record["traffic_cost"]:
        yield f"  traffic      {'':>10}     {_traffic(record)}"
    yield f"  weights      {record['weights_bytes']:>10,} B   in {len(record['constants'])} constants"
    yield f"  steps        {record['steps']:>10,}     with {record['macs']:,} multiply-accumulates"
    yield f"  order        {_order(record)}"
    if record["fed_input"]:
        yield f"  input        {_fed(record['fed_input'])}"
    if record["without_stripes"]:
        yield f"  stripes      {stripes_sentence(record)}"
    yield from _states(record)
    yield "  regions:"
    for each in record["regions"]:
        yield f"    {each['region']:<12} {each['used_bytes']:>12,} B of {each['capacity_bytes']:,} B   {each['role']}"
    yield "  arena, by technique:"
    yield from (_stage(stage) for stage in record["saved"])
    yield f'  peak         {peak["used_bytes"]:>10,} B   in "{short_name(peak["step"])}", where these are alive:'
    yield from (_row(buffer) for buffer in peak["buffers"])
    yield "  what would make the arena smaller:"
    yield from (f"    {line}" for line in advice_lines(record))
    yield "  constants, by what they are for:"
    yield from (f"    {kind:<20} {size:>10,} B" for kind, size in record["constant_kinds"].items())
    yield "  steps, with the bytes of the arena that are in use meanwhile:"
    yield from (_moment(entry) for entry in record["timeline"])
    yield from npu_lines(record["npu"]) if "npu" in record else ()
    yield "  buffers, by offset:"
    yield from (_row(buffer) for buffer in sorted(record["buffers"], key=lambda b: (b["offset_bytes"], b["first"])))


def _fed(fed: Record) -> str:
    """How the input comes that is never whole."""
    name, rows, row_bytes = short_name(fed["name"]), fed["rows"], fed["row_bytes"]
    return f'"{name}" comes by rows: {rows} of {row_bytes:,} B, at most {fed["rows_at_once"]} at once, never whole'


def _order(record: Record) -> str:
    if stripes := record["stripes"]:
        return f"that of {told(tuple(Segment(**each) for each in stripes))}, in stripes"
    gap_bytes = record["order_gap_bytes"]
    return f"at most {gap_bytes:,} B alive above the best one's peak" if gap_bytes else "optimal"


def stripes_sentence(record: Record) -> str:
    """What stripes save and cost."""
    without = record["without_stripes"]
    plain, striped = (without[key] for key in ("estimated_instructions", "estimated_instructions_in_stripes"))
    share = (striped - plain) / max(1, plain)
    return f"layer by layer it takes {without['arena_bytes']:,} B; {share:+.2%} instructions (estimated) for that"


def _states(record: Record) -> Iterator[str]:
    if states := record["states"]:
        names = ", ".join(state["name"] for state in states)
        kept_bytes = sum(state["size_bytes"] for state in states)
        yield f"  states       {kept_bytes:>10,} B   of the arena, kept between runs: {names}"


def _stage(stage: Mapping[str, Any]) -> str:
    saved = f"   {-stage['saved_bytes']:>+10,} B" if stage["saved_bytes"] else ""
    return f"    {stage['technique']:<24} {stage['arena_bytes']:>10,} B{saved}"


def _moment(entry: Mapping[str, Any]) -> str:
    work = f"{entry['macs']:>12,} MACs" if entry["macs"] else " " * 17
    what = f"{entry['operator']}  " if entry["operator"] else ""
    return f"    {entry['used_bytes']:>10,} B  {work}  {what}{short_name(entry['step'])}"


def _row(buffer: Mapping[str, Any]) -> str:
    start, size = buffer["offset_bytes"], buffer["size_bytes"]
    life = f"{short_name(buffer['first_step'])} .. {short_name(buffer['last_step'])}"
    return f"    {start:>8,} .. {start + size:>8,}  {size:>8,} B  {short_name(buffer['name'])}  ({life})"


FORMATS: Mapping[str, Callable[[Record], str]] = MappingProxyType(
    {"text": memory_text, "json": memory_json, "html": memory_page}
)
"""The forms of the report by name."""
_ENDINGS = {"text": ".txt", "json": ".json", "html": ".html"}
