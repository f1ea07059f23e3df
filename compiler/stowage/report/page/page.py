# SPDX-License-Identifier: Apache-2.0
"""The memory report as one page of HTML that needs nothing else: no other file, no network, no server.

Its policy (Content-Security-Policy) lets a browser run the page's own script alone, known by its hash.
"""

from __future__ import annotations

import hashlib
from base64 import b64encode
from collections.abc import Iterable, Iterator
from pathlib import Path

from stowage.report.memory_record import Record
from stowage.report.page.markup import Markup, element, joined, of_bytes, short
from stowage.report.page.npu_tables import npu_sentence, npu_tables
from stowage.report.page.plan_drawing import drawings, moment_name
from stowage.report.page.tables import (
    buffers_table,
    constants_table,
    kinds_table,
    peak_table,
    regions_table,
    steps_table,
)
from stowage.report.page.waterfall_chart import waterfall_chart

_ROOM = Path(__file__).parent


def memory_page(record: Record) -> str:
    """The page; the same bytes for the same report."""
    return whole_page(f"Memory of {record['model']} on {record['board']}", _title(record), *_sections(record))


def whole_page(title: str, *parts: Markup) -> str:
    """A page with a drawing of a plan among its parts."""
    head = element("head", *_head(title))
    body = element("body", element("main", *parts), Markup(f"<script>{_script()}</script>"))
    return f"<!DOCTYPE html>\n{element('html', head, body, lang='en')}\n"


def _head(title: str) -> Iterator[Markup]:
    digest = b64encode(hashlib.sha256(_script().encode()).digest()).decode()
    policy = f"default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-{digest}'"
    yield element("meta", charset="utf-8")
    yield element("meta", http_equiv="Content-Security-Policy", content=policy)
    yield element("meta", name="viewport", content="width=device-width, initial-scale=1")
    yield element("meta", name="color-scheme", content="light dark")
    yield element("title", title)
    yield Markup(f"<style>{(_ROOM / 'style.css').read_text(encoding='utf-8')}</style>")


def _script() -> str:
    return (_ROOM / "script.js").read_text(encoding="utf-8")


def headed(title: str, board: str, figures: Iterable[tuple[str, str, str]]) -> Markup:
    """What a page begins with: whose it is, and its figures, each with a name before it and a note below."""
    tiles = (
        element("div", element("dt", name), element("dd", figure, element("small", note)))
        for name, figure, note in figures
    )
    heading = element("h1", f"{title} ", element("span", f"on board {board}", class_="board"))
    return joined(heading, element("dl", *tiles, class_="tiles"))


def _title(record: Record) -> Markup:
    gap = record["gap_bytes"]
    verdict = "optimal: the lower bound is met" if not gap else f"at most {of_bytes(gap)} above the optimum"
    floor = record["floor_without_sharing_bytes"]
    figures = (
        ("Arena", of_bytes(record["arena_bytes"]), verdict),
        ("Lower bound", of_bytes(record["lower_bound_bytes"]), "no plan for these steps takes less"),
        ("Without sharing", of_bytes(floor), "what the tensors take at the fullest moment, each in full"),
        ("Constants", of_bytes(record["weights_bytes"]), f"in flash, {len(record['constants']):,} of them"),
        ("Steps", f"{record['steps']:,}", f"{record['macs']:,} multiply-accumulates"),
    )
    return headed(f"Memory of {record['model']}", record["board"], (*figures, *_stripes(record)))


def _stripes(record: Record) -> Iterator[tuple[str, str, str]]:
    """What it takes layer by layer, and what it costs not to run it so."""
    if without := record["without_stripes"]:
        plain, striped = (without[key] for key in ("estimated_instructions", "estimated_instructions_in_stripes"))
        more = f"in stripes for {(striped - plain) / max(1, plain):+.2%} instructions (estimated)"
        yield "Layer by layer", of_bytes(without["arena_bytes"]), more


def _sections(record: Record) -> Iterator[Markup]:
    yield section("The plan", "Steps go from left to right, addresses from bottom to top.", drawings(record))
    yield section("The peak", _peak_sentence(record), peak_table(record))
    yield section("What would make the arena smaller", _ADVICE, _advice(record))
    yield section("What each technique saved", _SAVED, waterfall_chart(record))
    kinds = [kinds_table(record)] if record["constants"] else []
    yield section("RAM and flash", _MEMORY, regions_table(record), *kinds)
    yield section("Steps", "", _folded(f"{len(record['timeline']):,} moments", steps_table(record)))
    if "npu" in record:
        yield section("On the NPU", npu_sentence(record["npu"]), npu_tables(record["npu"]))
    yield section("Buffers", "", _folded(f"{len(record['buffers']):,} buffers", buffers_table(record)))
    if record["constants"]:
        yield section("Constants", "", _folded(f"{len(record['constants']):,} constants", constants_table(record)))


_ADVICE = "Estimates: the same steps, planned again with tensors of other sizes."
_STRIPES = (
    element("strong", "wide layers in stripes of rows"),
    " (",
    element("code", "ram = …"),
    "): ",
    element("code", "stowage pareto"),
    " tells how low, and at what cost",
)
_SAVED = "The model is planned again and again, each time with one technique more."
_MEMORY = "What the model takes of the board. Its code is counted in the report of a firmware."


def section(title: str, sentence: str, *parts: Markup) -> Markup:
    """A part of a page below a heading, with a sentence on it."""
    intro = [element("p", sentence)] if sentence else []
    return element("section", element("h2", title), *intro, *parts)


def _folded(summary: str, inside: Markup) -> Markup:
    return element("details", element("summary", summary), inside)


def _peak_sentence(record: Record) -> Markup:
    peak = record["peak"]
    moment = moment_name(record, peak["moment"])
    step = (", ", short(peak["step"])) if moment.startswith("step") else ()
    used = of_bytes(peak["used_bytes"])
    return element("span", f"Most bytes, {used}, are in use at {moment}", *step, ". These are alive then:")


def _advice(record: Record) -> Markup:
    advice = record["advice"]
    entries = [
        element(
            "li",
            element("strong", each["change"]),
            f": about {of_bytes(each['arena_bytes'])} (\N{MINUS SIGN}{_less(each['arena_bytes'], record)}), ",
            "with the peak in ",
            short(each["peak_step"]),
        )
        for each in advice["changes"]
    ]
    stripes = [element("li", *_STRIPES)] if advice["stripes_possible"] else []
    return element("ul", *entries, *stripes, _rest(record), class_="advice")


def _rest(record: Record) -> Markup:
    """How far smaller tensors at the peak alone could bring it."""
    advice = record["advice"]
    if advice["without_peak_bytes"] >= record["arena_bytes"]:
        return element("li", "Smaller tensors at the peak alone save nothing: other steps need as much.")
    left = of_bytes(advice["without_peak_bytes"])
    step = short(advice["next_peak_step"])
    return element("li", f"Smaller tensors at the peak alone leave at least {left}, which ", step, " takes.")


def _less(arena_bytes: int, record: Record) -> str:
    return f"{100 - 100 * arena_bytes / record['arena_bytes']:.0f}\N{NO-BREAK SPACE}%"
