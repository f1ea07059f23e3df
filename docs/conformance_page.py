# SPDX-License-Identifier: Apache-2.0
"""The list of ONNX's backend tests as Markdown: which pass and which are refused, operator by operator."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

import onnx

from tests.conformance.beyond_tolerance import BEYOND_TOLERANCE
from tests.conformance.verdict import Verdict

_HEAD = """\
# ONNX's backend tests

onnx {version} makes {cases} tests of nodes. {scope} of them are in scope: they take and give plain tensors of float32,
float16, bool or integers of 8 to 64 bits, and neither draw random numbers, train, decode images, work on strings,
belong to ai.onnx.ml nor have an output whose shape depends on data. Inputs that say what an operator is to do (shapes,
axes, pads, repeats, counts) are constants, as in firmware.

**{passing} of the {scope} pass**, all of them on the host, under AddressSanitizer and UndefinedBehaviorSanitizer, and
as firmware of a Cortex-M4F in QEMU, where one arena serves one after the other as each one's plan says. To pass is to
give what ONNX expects within ONNX's own tolerances, twice, from an arena filled with two patterns, and to leave the
bytes around that arena alone. {refused} are refused with a sentence; {beyond} miss the tolerance by a rounding, where
what is expected is more rounded than what is given.

Of the {outside} out of scope, {outside_passing} pass and {outside_refused} are refused.

`./bazelw run //docs:update` writes this page of what compiles. That everything that compiles passes, but for those last
ones, and that everything else is refused, is what `./bazelw test //tests/conformance/...` asserts; a case is a test
case. With `--test_summary=testcase` it says how many there were.

| Operator | In scope | Pass | Out of scope | Pass |
| --- | ---: | ---: | ---: | ---: |
"""


def conformance_page(verdicts: Sequence[Verdict]) -> str:
    """The page of what became of every case."""
    operators = by_operator(verdicts)
    table = "".join(f"| [{name}](#{name.lower()}) | {_counts(cases)} |\n" for name, cases in operators.items())
    sections = "".join(f"\n## {name}\n\n{_section(cases)}" for name, cases in operators.items())
    return _head(verdicts) + table + sections


def by_operator(verdicts: Sequence[Verdict]) -> dict[str, list[Verdict]]:
    """The verdicts on the cases of each operator, expansions of functions included, in the order of their names."""
    ordered = sorted(verdicts, key=lambda verdict: (verdict.operator, verdict.name))
    return {operator: list(group) for operator, group in groupby(ordered, key=lambda verdict: verdict.operator)}


def in_scope(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Those on cases in scope."""
    return [verdict for verdict in verdicts if not verdict.out_of_scope]


def passing(verdicts: Sequence[Verdict]) -> int:
    """How many pass."""
    return sum(map(_passes, verdicts))


def _passes(verdict: Verdict) -> bool:
    """Whether it compiles, and so is right, as the conformance tests assert."""
    return verdict.is_compiled and verdict.name not in BEYOND_TOLERANCE


def _head(verdicts: Sequence[Verdict]) -> str:
    inside = in_scope(verdicts)
    outside = [verdict for verdict in verdicts if verdict.out_of_scope]
    return _HEAD.format(
        version=onnx.__version__,
        cases=f"{len(verdicts):,}",
        scope=f"{len(inside):,}",
        passing=f"{passing(inside):,}",
        refused=f"{sum(not verdict.is_compiled for verdict in inside):,}",
        beyond=sum(verdict.is_compiled and not _passes(verdict) for verdict in inside),
        outside=len(outside),
        outside_passing=passing(outside),
        outside_refused=sum(not verdict.is_compiled for verdict in outside),
    )


def _counts(verdicts: Sequence[Verdict]) -> str:
    inside = in_scope(verdicts)
    outside = [verdict for verdict in verdicts if verdict.out_of_scope]
    return f"{len(inside)} | {passing(inside)} | {len(outside)} | {passing(outside)}"


def _section(verdicts: Sequence[Verdict]) -> str:
    passed = list(filter(_passes, verdicts))
    lines = [f"Pass: {_names(passed)}\n"] if passed else []
    beyond = [verdict for verdict in verdicts if verdict.is_compiled and not _passes(verdict)]
    lines += [f"Beyond the tolerance: `{each.name}`: {BEYOND_TOLERANCE[each.name]}.\n" for each in beyond]
    lines += [f"Refused, {reason}: {_names(group)}\n" for reason, group in _refused(verdicts)]
    return "\n".join(lines)


def _refused(verdicts: Sequence[Verdict]) -> Iterator[tuple[str, list[Verdict]]]:
    """The cases that share a reason, after what keeps them out of scope if anything does."""
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        if not verdict.is_compiled:
            groups.setdefault(_reason(verdict), []).append(verdict)
    yield from groups.items()


def _reason(verdict: Verdict) -> str:
    sentence = f"“{verdict.reason}”".replace("|", "\\|").replace("<", "&lt;").replace("*", "\\*").replace("_", "\\_")
    return f"out of scope as it {verdict.out_of_scope}, {sentence}" if verdict.out_of_scope else sentence


def _names(verdicts: Sequence[Verdict]) -> str:
    return ", ".join(f"`{verdict.name}`" for verdict in verdicts)
