# SPDX-License-Identifier: Apache-2.0
"""Keeps the nodes float that take most from the accuracy, as few as an error of the outputs asks for."""

from __future__ import annotations

from dataclasses import replace

from stowage.quantise.integer_nodes import integer_nodes
from stowage.quantise.search import Found, Search
from stowage.quantise.sensitivity import sensitivities


def with_worst_kept_float(
    search: Search, found: Found, kept: tuple[str, ...], largest_error: float
) -> tuple[Found, tuple[str, ...]]:
    """A draft within the largest error, and the names of all nodes that it keeps float.

    Nodes are given up in the order of their own effect on the outputs. How many, is found by halving: few trials, and
    the fewest nodes where more of them never make the error larger. All of them is always enough.

    Args:
        search: what judges drafts.
        found: a draft, not corrected.
        kept: names of nodes that stay float in any case.
        largest_error: relative error of the outputs.
    """
    worst = [row.name for row in sensitivities(found.draft, search.samples)]
    few, many, names = 0, len(worst), kept
    while found.error > largest_error and few < many:
        middle = (few + many) // 2
        tried = (*kept, *worst[: middle + 1])
        if _keeping(search, found, tried).error <= largest_error:
            many, names = middle, tried
        else:
            few = middle + 1
    return _keeping(search, found, names), names


def _keeping(search: Search, found: Found, names: tuple[str, ...]) -> Found:
    draft = replace(found.draft, integers=integer_nodes(found.draft.graph, names))
    return search.judged(draft, found.seen, found.means)
