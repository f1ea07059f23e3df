# SPDX-License-Identifier: Apache-2.0
"""The pages of a pool and of a model of several sizes: whole, with every buffer once, and with figures that add up."""

from __future__ import annotations

import re

import pytest

from stowage.codegen.assemble import assemble
from stowage.codegen.golden_model import delay_graph, golden_pool
from stowage.codegen.shared_data import share_data
from stowage.memory.peak import peak_of
from stowage.report.page_test import opened
from stowage.report.pool_report import PoolReport, pool_memory_files, pool_record
from stowage.report.side_by_side import Arena, side_by_side
from stowage.report.trial_models import compiled_of

POOL = golden_pool()
REPORT = PoolReport(
    POOL, *share_data([assemble(plan) for plan in POOL.plans], POOL.name), compiled_of(delay_graph()).target
)
SPANS = [span for span in pool_record(REPORT)["spans"] if span["when"] == "always"]
DRAWN = side_by_side(Arena("stereo", 56, "sram", 4096), [(plan.schedule.name, plan) for plan in POOL.plans], SPANS)


def test_models_follow_one_another() -> None:
    moments = [entry["moment"] for entry in DRAWN["timeline"]]
    assert moments[:2] == ["left, inputs", "left, step 1"]
    assert moments[-2:] == ["right, step 2", "right, outputs"]
    assert len(moments) == sum(len(plan.schedule.steps) + 2 for plan in POOL.plans)


def test_what_stays_is_drawn_once_and_all_along() -> None:
    kept = {
        buffer["name"]: (buffer["first"], buffer["last"]) for buffer in DRAWN["buffers"] if buffer["kind"] == "state"
    }
    assert kept == {span["what"]: (0, len(DRAWN["timeline"]) - 1) for span in SPANS}
    assert len(SPANS) == 3


def test_names_are_apart_and_what_is_lain_over_is_there() -> None:
    names = [buffer["name"] for buffer in DRAWN["buffers"]]
    assert len(set(names)) == len(names)
    assert all(other in names for buffer in DRAWN["buffers"] for other in buffer["over"])


def test_bytes_in_use_are_those_of_all_that_is_alive() -> None:
    kept_bytes = sum(span["size_bytes"] for span in SPANS)
    assert DRAWN["peak"]["used_bytes"] == max(entry["used_bytes"] for entry in DRAWN["timeline"])
    alone = max(peak_of(plan).used_bytes for plan in POOL.plans)
    assert DRAWN["peak"]["used_bytes"] == kept_bytes + alone - 8, "a filter's peak counts its own state of 8 bytes"


def test_a_pool_s_page_is_whole_and_fetches_nothing() -> None:
    page = pool_memory_files(REPORT)["stereo_memory.html"]
    seen = opened(page)
    assert [attributes["data-name"] for tag, attributes in seen if tag == "g"] == [
        buffer["name"] for buffer in DRAWN["buffers"]
    ]
    assert not [attributes for _, attributes in seen if {"src", "href"} & attributes.keys()]
    assert not re.search(r"https?:|url\((?!#)|@import", page)


@pytest.mark.parametrize(
    "text", ["Memory of pool stereo", "the caller&#x27;s audio", "leaving out buffer", "left, step 1"]
)
def test_it_tells(text: str) -> None:
    assert text in pool_memory_files(REPORT)["stereo_memory.html"]
