# SPDX-License-Identifier: Apache-2.0
"""The tables of arenas, in Markdown, out of memory reports; all figures in bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from tools.bench.peers import Contest, Peer, read_peers

Report = Mapping[str, Any]
"""A memory report as `report/memory_record.py` makes it, or of a refused model its "refusal" and "sentence"."""
Reports = Mapping[str, Report]
"""By the model's folder and file, for instance "mlperf_kws_int8/model.tflite"."""

_COLUMNS = ("Model", "Arena", "Lower bound", "Gap", "Without sharing", "Saved by sharing", "Tensors and scratch")


def table(rows: Iterable[Sequence[str]], columns: Sequence[str]) -> Iterator[str]:
    """A table whose first column is text and whose others are figures."""
    yield f"| {' | '.join(columns)} |"
    yield "| --- |" + " ---: |" * (len(columns) - 1)
    yield from (line(row) for row in rows)


def line(row: Sequence[str]) -> str:
    """One row."""
    return f"| {' | '.join(row)} |"


def model_table(reports: Reports) -> Iterator[str]:
    """A row a model."""
    return table((model_row(name, report) for name, report in sorted(reports.items())), _COLUMNS)


def model_row(name: str, report: Report) -> list[str]:
    """Arena, bound, gap, what tensors take where they share nothing, and what each for itself would take."""
    if "refusal" in report:
        return [name, report["refusal"], *[""] * (len(_COLUMNS) - 2)]
    arena, floor = report["arena_bytes"], report["floor_without_sharing_bytes"]
    figures = (arena, report["lower_bound_bytes"], report["gap_bytes"], floor)
    alone = report["saved"][0]["arena_bytes"]
    return [name, *(f"{figure:,}" for figure in figures), _percent(floor - arena, floor), f"{alone:,}"]


def contest_table(reports: Reports) -> Iterator[str]:
    """The five MLPerf Tiny models beside others; in brackets how far Stowage is from each."""
    contests, peers = read_peers()
    ours = {contest.zoo: ours_of(contest, reports) for contest in contests}
    rows = [[peer.name, *(_peer_cell(peer, contest, ours[contest.zoo]) for contest in contests)] for peer in peers]
    rows.append(["**Stowage**", *(f"**{_arena(ours[contest.zoo])}**" for contest in contests)])
    rows.append(["the bar", *(f"{contest.bar_bytes:,}" for contest in contests)])
    return table(rows, ["", *(contest.title for contest in contests)])


def ours_of(contest: Contest, reports: Reports) -> Report | None:
    """The report of a model; of its two files that which takes more."""
    known = [report for name, report in reports.items() if name.startswith(f"{contest.zoo}/") and "saved" in report]
    return max(known, key=lambda report: int(report["arena_bytes"]), default=None)


def complaints(reports: Reports) -> Iterator[str]:
    """A sentence for each of the five models that is above its bar, or above what its tensors take without sharing."""
    for contest in read_peers()[0]:
        report = ours_of(contest, reports)
        if report is not None:
            floor = report["floor_without_sharing_bytes"]
            for name, limit in (("bar", contest.bar_bytes), ("floor without sharing", floor)):
                if report["arena_bytes"] > limit:
                    yield f"{contest.title} takes {report['arena_bytes']:,} B, its {name} is {limit:,} B"


def _arena(report: Report | None) -> str:
    return "-" if report is None else f"{report['arena_bytes']:,}"


def _peer_cell(peer: Peer, contest: Contest, ours: Report | None) -> str:
    theirs = peer.arena_bytes.get(contest.zoo)
    if theirs is None:
        return "-"
    shown = f"{theirs:,}{' + I/O' if peer.without_ports else ''}"
    if ours is None:
        return shown
    if peer.without_ports:
        theirs += sum(port["size_bytes"] for port in (*ours["inputs"], *ours["outputs"]))
    return f"{shown} ({_percent(ours['arena_bytes'] - theirs, theirs, '+')})"


def _percent(part: int, whole: int, sign: str = "") -> str:
    """A share in percent, with a second decimal place where it is small."""
    share = 100 * part / whole if whole else 0.0
    places = 2 if abs(share) < 0.1 else 1
    return f"{share:{sign}.{places}f} %" if part else "0 %"
