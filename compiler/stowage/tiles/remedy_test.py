# SPDX-License-Identifier: Apache-2.0
"""What a user is told of stripes is what asking for them brings."""

from __future__ import annotations

from stowage.memory.planning import lowest_plan
from stowage.memory.what_if import WhatIf
from stowage.tiles.arbitrary_chains import residual_network
from stowage.tiles.remedy import stripes_would_help
from stowage.tiles.within_limit_test import NO_FEATURES, limited, plain


def told(capacity_bytes: int) -> list[WhatIf]:
    graph = residual_network()
    schedule = plain(graph)
    return list(stripes_would_help(graph, schedule, lowest_plan(schedule, "ram"), NO_FEATURES, capacity_bytes))


def test_stripes_that_fit_are_told_with_the_limit_to_ask_for() -> None:
    capacity_bytes = lowest_plan(plain(residual_network()), "ram").arena_bytes - 1
    (way,) = told(capacity_bytes)
    assert way.change == f'wide layers in stripes of rows (ram = "{capacity_bytes}")'
    assert limited(capacity_bytes).arena_bytes <= way.arena_bytes <= capacity_bytes


def test_stripes_that_do_not_fit_are_told_with_what_they_reach() -> None:
    (way,) = told(500)
    assert way.change == f'wide layers in stripes of rows (ram = "{way.arena_bytes}")'
    assert way.arena_bytes > 500
    assert limited(way.arena_bytes).arena_bytes <= way.arena_bytes
