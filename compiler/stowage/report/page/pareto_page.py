# SPDX-License-Identifier: Apache-2.0
"""The page of what less memory costs: a drawing of arenas against instructions, and its figures as a table."""

from __future__ import annotations

from collections.abc import Iterator

from stowage.report.page.markup import Markup, element, joined, of_bytes
from stowage.report.page.page import headed, section, whole_page
from stowage.report.page.pareto_drawing import named, pareto_drawing, shows_capacity, told_more
from stowage.report.page.tables import table
from stowage.report.pareto_record import ParetoRecord

_HINT = "Point at a plan, or tab to the drawing and use the arrow keys."
_COLUMNS = ("Plan", "Arena", "Instructions", "More", "Steps", "On the board")


def pareto_page(record: ParetoRecord) -> str:
    """The page; the same bytes for the same record."""
    title = f"What less memory costs {record['model']}"
    return whole_page(
        f"{title} on {record['board']}",
        headed(title, record["board"], _figures(record)),
        section("The plans", _sentence(record), _drawn(record)),
        section("Figures", "", table("Plans", _COLUMNS, _rows(record), figures=(1, 2, 3, 4))),
    )


def _figures(record: ParetoRecord) -> Iterator[tuple[str, str, str]]:
    plain, least = record["points"][0], min(record["points"], key=lambda point: point["arena_bytes"])
    yield "Layer by layer", of_bytes(plain["arena_bytes"]), f"{plain['estimated_instructions']:,} instructions"
    yield "Least", of_bytes(least["arena_bytes"]), f"{told_more(least)} instructions"
    yield "Board", of_bytes(record["capacity_bytes"]), f"for the arena in region {record['region']}"
    yield "Plans", f"{len(record['points'])}", "of which none takes more memory and more work than another"


def _sentence(record: ParetoRecord) -> str:
    """What the axes are, and where the board's RAM ends if that is not drawn."""
    axes = (
        "Arenas in bytes from left to right, planned; instructions of a run from bottom to top, estimated, not from 0."
    )
    if shows_capacity(record):
        return axes
    end = f"{of_bytes(record['capacity_bytes'])} that region {record['region']} has"
    most_bytes = max(point["arena_bytes"] for point in record["points"])
    if record["capacity_bytes"] > most_bytes:
        return f"{axes} The {end} are far to the right: every plan fits."
    return f"{axes} The {end} are far to the left."


def _drawn(record: ParetoRecord) -> Markup:
    readout = element("div", element("p", _HINT, class_="hint"), id="readout", aria_live="polite")
    return joined(_legend(record), pareto_drawing(record), readout)


def _legend(record: ParetoRecord) -> Markup:
    kinds = {"plain": "layer by layer", "striped": "with stripes", "unfit": "does not fit the board"}
    there = {"plain", *("striped" for point in record["points"] if point["stripes"])}
    there |= {"unfit" for point in record["points"] if not point["fits"]}
    entries = [element("li", element("span", class_=f"swatch {kind}"), kinds[kind]) for kind in kinds if kind in there]
    return element("ul", *entries, class_="legend")


def _rows(record: ParetoRecord) -> Iterator[tuple[str, ...]]:
    for point in record["points"]:
        yield (
            named(point),
            of_bytes(point["arena_bytes"]),
            f"{point['estimated_instructions']:,}",
            told_more(point),
            f"{point['steps']:,}",
            "fits" if point["fits"] else f"{of_bytes(point['arena_bytes'] - record['capacity_bytes'])} too few",
        )
