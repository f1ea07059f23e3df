# SPDX-License-Identifier: Apache-2.0
"""The trace of a model's transfers, held against what the Trace Event Format asks for, as a viewer's importer reads it.

The document "Trace Event Format" says: events are objects with a phase, a name, a process and a thread; a complete
event ("X") has a time and a length in microseconds, and those of a thread nest; metadata ("M") name processes and
threads; a flow starts ("s") and ends ("f") under one name, category and id, within events of its threads.
"""

from __future__ import annotations

import json
import math
from collections import Counter, defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from stowage.model_request import ModelRequest
from stowage.pipeline import compile_model
from stowage.report.transfer_report import transfer_files
from stowage.target.find_board import find_board

ROOT = Path(__file__).parents[3]
DIGITS = ROOT / "examples" / "digits" / "digits_int8.onnx"
SLOW = str(ROOT / "tests" / "transfers" / "slow_weights.textproto")
METADATA = {"process_name", "process_labels", "process_sort_index", "thread_name", "thread_sort_index"}
Event = dict[str, Any]


def is_time(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0


def faults(text: str) -> list[str]:
    """What is amiss with a trace."""
    trace = json.loads(text)
    events: list[Event] = trace["traceEvents"]
    found = [] if trace.get("displayTimeUnit", "ms") in ("ms", "ns") else ["unit"]
    found += [f"{event}" for event in events if not is_event(event)]
    return found or [*threads(events), *nesting(events), *flows(events)]


def is_event(event: Event) -> bool:
    """Whether it has the fields that its phase asks for."""
    if not isinstance(event.get("name"), str) or not all(type(event.get(key)) is int for key in ("pid", "tid")):
        return False
    match event.get("ph"):
        case "M":
            return event["name"] in METADATA and isinstance(event.get("args"), dict)
        case "X":
            return is_time(event.get("ts")) and is_time(event.get("dur")) and isinstance(event.get("args", {}), dict)
        case "s" | "f":
            return is_time(event.get("ts")) and isinstance(event.get("cat"), str) and isinstance(event.get("id"), int)
    return False


def threads(events: list[Event]) -> list[str]:
    """Every thread with events is named, and once."""
    names = Counter((each["pid"], each["tid"]) for each in events if each["name"] == "thread_name")
    used = {(each["pid"], each["tid"]) for each in events if each["ph"] != "M"}
    return [f"thread {each} has {names[each]} names" for each in used | names.keys() if names[each] != 1]


def spans_of(events: list[Event]) -> dict[tuple[int, int], list[tuple[float, float]]]:
    spans = defaultdict(list)
    for each in events:
        if each["ph"] == "X":
            spans[each["pid"], each["tid"]].append((each["ts"], each["ts"] + each["dur"]))
    return spans


def nesting(events: list[Event]) -> list[str]:
    """Of two spans of a thread one is within the other, or they are apart."""
    found = []
    for thread, spans in spans_of(events).items():
        open_ends: list[float] = []
        for begin, end in sorted(spans, key=lambda span: (span[0], -span[1])):
            while open_ends and open_ends[-1] <= begin:
                open_ends.pop()
            if open_ends and end > open_ends[-1]:
                found.append(f"thread {thread}: {begin} to {end} sticks out of what it is in")
            open_ends.append(end)
    return found


def flows(events: list[Event]) -> list[str]:
    """Each has one start and one end, not before it, both of them within a span of their thread."""
    spans, found, pairs = spans_of(events), [], defaultdict(list)
    for each in events:
        if each["ph"] in "sf":
            pairs[each["name"], each["cat"], each["id"]].append(each)
            own = spans[each["pid"], each["tid"]]
            if not any(begin <= each["ts"] < end for begin, end in own):
                found.append(f"flow {each['id']} is in no span")
    for key, ends in pairs.items():
        by_phase = {each["ph"]: each for each in ends}
        if len(ends) != 2 or by_phase.keys() != {"s", "f"} or by_phase["s"]["ts"] > by_phase["f"]["ts"]:
            found.append(f"flow {key} is no pair")
    return found


@pytest.fixture(scope="module", params=[None, 700], ids=["plain", "striped"])
def trace(request: pytest.FixtureRequest) -> str:
    model = ModelRequest(DIGITS, "digits", prefetch=True, ram_bytes=request.param)
    return transfer_files(compile_model(model, find_board(SLOW)))["digits_transfers.trace.json"]


def test_a_viewer_can_read_it(trace: str) -> None:
    assert faults(trace) == []


def test_an_arrow_goes_to_every_reader(trace: str) -> None:
    events: list[Event] = json.loads(trace)["traceEvents"]
    begins = {each["ts"] for each in events if each["ph"] == "X" and each["tid"] == 1}
    ends = [each["ts"] for each in events if each["ph"] == "f"]
    assert len(ends) == len(set(ends)) >= 4
    assert set(ends) <= begins


SPOILT: dict[str, Callable[[list[Event]], object]] = {
    "a phase that is none": lambda events: events[-1].update(ph="Q"),
    "a time that is text": lambda events: first(events, "X").update(ts="0"),
    "a length below zero": lambda events: first(events, "X").update(dur=-1),
    "no process": lambda events: first(events, "X").pop("pid"),
    "a thread without a name": lambda events: first(events, "X").update(tid=9),
    "metadata of another kind": lambda events: first(events, "M").update(name="thread_colour"),
    "a span that sticks out": lambda events: first(events, "X").update(dur=first(events, "X")["dur"] + 1),
    "a flow without an end": lambda events: events.remove(first(events, "f")),
    "a flow that ends before it starts": lambda events: first(events, "s").update(ts=first(events, "f")["ts"] + 1),
    "two flows of one number": lambda events: [each.update(id=1) for each in events if "id" in each],
}


def first(events: list[Event], phase: str) -> Event:
    return next(each for each in events if each["ph"] == phase)


@pytest.mark.parametrize("kind", SPOILT)
def test_a_trace_that_is_none_is_seen(trace: str, kind: str) -> None:
    told = json.loads(trace)
    SPOILT[kind](told["traceEvents"])
    assert faults(json.dumps(told))
