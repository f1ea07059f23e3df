# SPDX-License-Identifier: Apache-2.0
"""The page of what takes turns in one arena: the models of a pool, or the sizes of a model."""

from __future__ import annotations

from stowage.report.memory_record import Record
from stowage.report.page.markup import Markup, element, of_bytes, short
from stowage.report.page.page import headed, section, whole_page
from stowage.report.page.plan_drawing import drawings
from stowage.report.page.tables import table

_TURNS = "They run one at a time: from left to right one after the other, addresses from bottom to top."
_PEAK = "What each takes. Its own report has its plan by itself, and what would make it smaller."


def sizes_page(record: Record, drawn: Record) -> str:
    """The page of a model of several sizes.

    Args:
        record: its report.
        drawn: its plans side by side.
    """
    sizes, spared = record["sizes"], record["apart_weights_bytes"] - record["weights_bytes"]
    figures = (
        ("Arena", of_bytes(record["arena_bytes"]), "of the largest size"),
        ("Sizes", f"{len(sizes)}", f"of {', '.join(record['dimensions'])}"),
        ("Constants", of_bytes(record["weights_bytes"]), f"in flash; {of_bytes(spared)} more if each size had its own"),
        ("Of these", of_bytes(record["shared_weights_bytes"]), "are read by two sizes or more"),
    )
    title = f"Memory of {record['model']}"
    return whole_page(
        f"{title} on {record['board']}",
        headed(title, record["board"], figures),
        section("The plans", _TURNS, drawings(drawn)),
        section("The sizes", _PEAK, _sizes_table(record)),
    )


def _sizes_table(record: Record) -> Markup:
    dimensions = record["dimensions"]
    rows = [
        (
            *(f"{size['extents'][name]:,}" for name in dimensions),
            of_bytes(size["arena_bytes"]),
            _verdict(size["gap_bytes"]),
            of_bytes(size["own_weights_bytes"]),
            f"{size['macs']:,}",
            _ports(size, "inputs"),
            _ports(size, "outputs"),
            short(size["peak_step"]),
        )
        for size in record["sizes"]
    ]
    columns = ("Arena", "", "Constants of its own", "Multiply-accumulates", "Inputs", "Outputs", "Peak in")
    count = len(dimensions)
    return table("Sizes", (*dimensions, *columns), rows, figures=(*range(count + 1), count + 2, count + 3))


def _verdict(gap_bytes: int) -> str:
    return "optimal" if not gap_bytes else f"at most {of_bytes(gap_bytes)} above the optimum"


def _ports(size: Record, kind: str) -> str:
    return ", ".join(f"{port['name']} {'x'.join(map(str, port['shape'])) or 'scalar'}" for port in size[kind])


def pool_page(record: Record, drawn: Record) -> str:
    """The page of a pool.

    Args:
        record: its report.
        drawn: its plans side by side.
    """
    spared = record["apart_weights_bytes"] - record["weights_bytes"]
    figures = (
        ("Arena", of_bytes(record["arena_bytes"]), _verdict(record["gap_bytes"])),
        ("Lower bound", of_bytes(record["lower_bound_bytes"]), "no plan of these models takes less"),
        ("Apart", of_bytes(record["apart_bytes"]), f"if each had its own: {of_bytes(record['saved_bytes'])} are saved"),
        ("Kept", of_bytes(record["kept_bytes"]), "from run to run: states, and the caller's buffers"),
        ("Constants", of_bytes(record["weights_bytes"]), f"in flash; {of_bytes(spared)} more if each had its own"),
    )
    title = f"Memory of pool {record['pool']}"
    return whole_page(
        f"{title} on {record['board']}",
        headed(title, record["board"], figures),
        section("The plans", _TURNS, drawings(drawn)),
        section("The models", _PEAK, _models_table(record)),
        section("What would make the arena smaller", _ADVICE, _advice(record)),
        *([section("Bytes of one owner", "", _spans_table(record))] if record["spans"] else []),
    )


_ADVICE = "Estimates: the model that makes the arena as large as it is, planned again with tensors of other sizes."


def _models_table(record: Record) -> Markup:
    rows = [
        (
            model["model"],
            of_bytes(model["run_bytes"]),
            of_bytes(model["states_bytes"]),
            of_bytes(model["own_weights_bytes"]),
            short(model["peak_step"]),
            "no other model needs more" if model["model"] == record["makes_peak"] else "",
        )
        for model in record["models"]
    ]
    columns = ("Model", "While it runs", "States", "Constants of its own", "Peak in", "")
    return table("Models", columns, rows, figures=(1, 2, 3))


def _advice(record: Record) -> Markup:
    entries = [
        element("li", element("strong", each["change"]), f": about {of_bytes(each['arena_bytes'])}")
        for each in record["advice"]
    ]
    return element("ul", *(entries or [element("li", "Nothing that is known of.")]), class_="advice")


def _spans_table(record: Record) -> Markup:
    rows = [
        (span["what"], span["when"], f"{span['offset_bytes']:,}", of_bytes(span["size_bytes"]))
        for span in record["spans"]
    ]
    return table("Bytes of one owner", ("Whose", "When", "Offset in bytes", "Size"), rows, figures=(2, 3))
