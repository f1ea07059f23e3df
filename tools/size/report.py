# SPDX-License-Identifier: Apache-2.0
"""The memory report of a firmware: the board's regions, what fills flash and RAM, the arenas of its models."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from tools.size.breakdown import by_kind
from tools.size.usage import Usage

_SHOWN_SYMBOLS = 12
Record = dict[str, Any]


def report_record(
    firmware: str, board: str, used: Usage, stack_bytes: int, models: Sequence[Mapping[str, Any]]
) -> Record:
    """The report as plain data; sizes in bytes. `stack_bytes` is the static bound of the image's stack."""
    return {
        "firmware": firmware,
        "board": board,
        "flash_bytes": used.flash_bytes,
        "ram_bytes": used.ram_bytes,
        "stack_bound_bytes": stack_bytes,
        "regions": [{"name": name, "used_bytes": size, "free_bytes": room} for name, size, room in used.regions],
        "flash": dict(by_kind(used.flash)),
        "ram": dict(by_kind(used.ram)),
        "flash_symbols": [{"name": s.name, "bytes": s.size_bytes} for s in used.flash_symbols],
        "ram_symbols": [{"name": s.name, "bytes": s.size_bytes} for s in used.ram_symbols],
        "models": list(models),
    }


def report_text(record: Record) -> str:
    """The report for people."""
    return "\n".join(_lines(record)) + "\n"


def _lines(record: Record) -> Iterator[str]:
    yield f"Memory of {record['firmware']} on board {record['board']}"
    yield ""
    yield f"  {'region':<12}{'used':>12}{'of':>12}"
    for region in record["regions"]:
        share = 100 * region["used_bytes"] / region["free_bytes"]
        yield f"  {region['name']:<12}{region['used_bytes']:>12,}{region['free_bytes']:>12,} B  {share:5.1f} %"
    yield from _kinds("flash", record["flash_bytes"], record["flash"])
    yield from _kinds("RAM", record["ram_bytes"], record["ram"])
    yield f"  of the stack, at most {record['stack_bound_bytes']:,} B are ever used (static bound)"
    yield from _symbols("flash", record["flash_symbols"])
    yield from _symbols("RAM", record["ram_symbols"])
    for model in record["models"]:
        yield from _model(model)


def _kinds(title: str, total: int, kinds: Mapping[str, int]) -> Iterator[str]:
    yield ""
    yield f"  {title:<12}{total:>12,} B"
    yield from (f"    {kind:<10}{size:>12,} B" for kind, size in kinds.items())


def _symbols(title: str, symbols: Sequence[Mapping[str, Any]]) -> Iterator[str]:
    yield ""
    yield f"  largest in {title}"
    yield from (f"    {symbol['bytes']:>10,} B  {symbol['name']}" for symbol in symbols[:_SHOWN_SYMBOLS])


def _model(model: Mapping[str, Any]) -> Iterator[str]:
    peak = model["peak"]
    bound = f"lower bound {model['lower_bound_bytes']:,} B, gap {model['gap_bytes']:,} B"
    yield ""
    of = f" of pool {model['pool']}" if model.get("pool") else ""
    of += f" at one size of {model['size_of']}" if model.get("size_of") else ""
    yield f"  model {model['model']}: arena {model['arena_bytes']:,} B{of} ({bound})"
    yield f'    peak in step "{peak["step"]}":'
    yield from (f"    {buffer['size_bytes']:>10,} B  {buffer['name']}" for buffer in peak["buffers"])
