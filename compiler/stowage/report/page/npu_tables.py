# SPDX-License-Identifier: Apache-2.0
"""The tables of the page on a model's part on the NPU: steps of each segment, and its bank map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from stowage.report.npu_lines import told_step
from stowage.report.npu_record import Record
from stowage.report.page.markup import Markup, element, joined, of_bytes, short
from stowage.report.page.tables import table


def npu_tables(record: Record) -> Markup:
    """A line and two tables a segment, folded."""
    return joined(*(part for segment in record["segments"] for part in _segment(segment)))


def npu_sentence(record: Record) -> str:
    """What the NPU is, and what the model makes of it."""
    machine = f"{record['name']} has {record['banks']} banks of {of_bytes(record['bank_bytes'])}"
    return f"{machine} and does {record['macs_per_cycle']:,} multiply-accumulates a cycle. {_told(record)}"


def _told(figures: Mapping[str, Any]) -> str:
    moved, conflicts = of_bytes(figures["moved_bytes"]), figures["conflicts"]
    return f"{figures['cycles']:,} cycles, array used {_share(figures)}, {moved} moved, port conflicts {conflicts}."


def _segment(segment: Mapping[str, Any]) -> Iterator[Markup]:
    yield element("p", short(segment["step"]), f": {_told(segment)}")
    yield element("details", element("summary", f"{len(segment['steps']):,} steps of the NPU"), _steps(segment))
    residents = f"bank map, {len(segment['residents']):,} entries"
    yield element("details", element("summary", residents), _residents(segment))


def _steps(segment: Mapping[str, Any]) -> Markup:
    rows = [
        (
            f"{number:,}",
            told_step(step),
            of_bytes(step["moved_bytes"]),
            f"{step['conflicts']}",
            f"{step['cycles']:,}",
            _share(step),
        )
        for number, step in enumerate(segment["steps"])
    ]
    columns = ("", "What runs at once, in which banks", "Moved", "Port conflicts", "Cycles", "Array used")
    return table(f"Steps of {segment['step']}", columns, rows, figures=(0, 2, 3, 4, 5))


def _residents(segment: Mapping[str, Any]) -> Markup:
    rows = [
        (
            f"{each['bank']}",
            f"{each['offset_bytes']:,}",
            f"{each['end_bytes']:,}",
            f"{each['first']:,} to {each['last']:,}",
            each["what"],
        )
        for each in sorted(segment["residents"], key=lambda each: (each["bank"], each["first"]))
    ]
    columns = ("Bank", "From byte", "To byte", "Steps", "What")
    return table(f"Bank map of {segment['step']}", columns, rows, figures=(0, 1, 2))


def _share(figures: Mapping[str, Any]) -> str:
    return f"{100 * figures['array_used_share']:.1f}\N{NO-BREAK SPACE}%"
