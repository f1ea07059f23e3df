# SPDX-License-Identifier: Apache-2.0
"""The quantisation report of a model: error, what was done to lower it, accuracy and every integer layer."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Iterator

from stowage.quantise.accuracy import Accuracy
from stowage.quantise.quantise import Outcome
from stowage.quantise.sensitivity import Sensitivity


def quantisation_json(name: str, outcome: Outcome) -> str:
    """The report as JSON; what was not measured is null."""
    return json.dumps({"model": name} | dataclasses.asdict(outcome), indent=2) + "\n"


def quantisation_text(name: str, outcome: Outcome) -> str:
    """The report for people."""
    return "\n".join(_lines(name, outcome)) + "\n"


def _lines(name: str, outcome: Outcome) -> Iterator[str]:
    means, layers = outcome.means, outcome.layers
    weights, floats = sum(each.weight_bytes for each in layers), sum(each.float_weight_bytes for each in layers)
    yield f"Quantisation of {name}"
    yield f"  error        {100 * outcome.error:>9.3f} %   of the outputs, root mean square over {_compared(outcome)}"
    yield from _accuracy_lines(outcome.accuracy)
    yield f"  int8 work    {_share(outcome.integer_macs, outcome.macs):>9.1f} %   of {outcome.macs:,} multiplications"
    yield f"  weights      {weights:>9,} B   of int8 layers, {floats:,} B as floats"
    yield f"  ranges       {means.ranges:>9}"
    yield f"  equalised    {_yes(means.equalised):>9}"
    yield f"  bias corr.   {_yes(means.corrected):>9}"
    yield f"  rounded tog. {_yes(means.rounded):>9}"
    for kept in outcome.kept_float:
        yield f"  kept float   {kept}"
    yield "  integer nodes, the one with the largest effect on the outputs first:"
    yield f"    {'effect %':>10} {'SQNR dB':>8} {'cosine':>8} {'MACs':>12} {'weights B':>10}  node"
    yield from (_row(layer) for layer in layers)


def _compared(outcome: Outcome) -> str:
    return f"{outcome.compared} of {outcome.samples} calibration samples"


def _accuracy_lines(accuracy: Accuracy | None) -> Iterator[str]:
    if accuracy is not None:
        shares = f"{100 * accuracy.before:.2f} % in float, at least {100 * accuracy.least:.2f} % asked for"
        yield f"  accuracy     {100 * accuracy.after:>9.2f} %   of {accuracy.samples} labelled samples; {shares}"


def _row(layer: Sensitivity) -> str:
    effect = "-" if layer.effect is None else f"{100 * layer.effect:.4f}"
    noise = "-" if layer.sqnr_db is None else f"{layer.sqnr_db:.1f}"
    numbers = f"{effect:>10} {noise:>8} {layer.cosine:>8.5f} {layer.macs:>12,} {layer.weight_bytes:>10,}"
    return f"    {numbers}  {layer.operator} {layer.name}"


def _share(part: int, whole: int) -> float:
    return 100 * part / whole if whole else 100.0


def _yes(true: bool) -> str:
    return "yes" if true else "no"
