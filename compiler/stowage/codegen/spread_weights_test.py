# SPDX-License-Identifier: Apache-2.0
"""Constants go to later regions only where the first is full, and then those that are read least."""

from __future__ import annotations

from dataclasses import replace

import pytest

from stowage.codegen.assemble import assemble
from stowage.codegen.c_weights import weights_files
from stowage.codegen.golden_model import golden_graph, plan_of
from stowage.codegen.program import Program
from stowage.codegen.spread_weights import spread_weights
from stowage.errors import DoesNotFit
from stowage.memory.weights_fit import check_weights_fit
from stowage.target.board import Master, RegionKind
from stowage.target.target import TargetRegion

PLAN = plan_of(golden_graph())
PROGRAM = assemble(PLAN)


def board_regions(*capacities_bytes: int) -> tuple[TargetRegion, ...]:
    """Regions for weights, each four times as dear as the one before."""
    return tuple(
        TargetRegion(f"rom{number}", size, RegionKind.FLASH, 1, 4**number, 1, frozenset({Master.CPU}))
        for number, size in enumerate(capacities_bytes)
    )


def regions(program: Program) -> dict[str, str | None]:
    return {datum.role: datum.region for datum in program.data}


def test_where_the_first_region_holds_all_nothing_changes() -> None:
    assert spread_weights(PROGRAM, PLAN.schedule, board_regions(1 << 16, 1 << 16)) is PROGRAM
    assert "STW_WEIGHTS_IN" not in weights_files(PROGRAM)["tiny_weights.c"]


def test_what_is_read_most_stays_in_the_first_region() -> None:
    spread = spread_weights(PROGRAM, PLAN.schedule, board_regions(40, 1 << 16))
    assert {role for role, region in regions(spread).items() if region is None} == {"weights"}
    assert {region for role, region in regions(spread).items() if role != "weights"} == {"rom1"}
    assert replace(spread, data=PROGRAM.data) == PROGRAM


def test_the_c_names_the_region() -> None:
    text = weights_files(spread_weights(PROGRAM, PLAN.schedule, board_regions(40, 1 << 16)))["tiny_weights.c"]
    assert 'STW_WEIGHTS("tiny_data_conv_weights")' in text
    assert 'STW_WEIGHTS_IN("rom1", "tiny_data_conv_bias")' in text


def test_what_no_region_holds_is_refused_by_name() -> None:
    with pytest.raises(DoesNotFit, match=r'buffer "tiny_data_[a-z_]+": its [0-9,]+ B are more than any region has'):
        spread_weights(PROGRAM, PLAN.schedule, board_regions(40, 40))


def test_more_than_all_regions_together_is_refused_early() -> None:
    both = board_regions(16, 24)
    with pytest.raises(DoesNotFit, match=r"B, but regions rom0 and rom1 of board badge have 40 B for them, [0-9,]+ B "):
        check_weights_fit(PLAN.schedule, both, "badge")
    check_weights_fit(PLAN.schedule, board_regions(1 << 15, 1 << 15), "badge")
