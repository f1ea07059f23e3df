# SPDX-License-Identifier: Apache-2.0
"""What the report of a pool tells, of models whose figures can be counted by hand."""

from __future__ import annotations

import json

from stowage.codegen.assemble import assemble
from stowage.codegen.golden_model import delay_graph, golden_pool
from stowage.codegen.shared_data import share_data
from stowage.report.pool_report import PoolReport, pool_memory_files, pool_record
from stowage.report.trial_models import compiled_of

TARGET = compiled_of(delay_graph()).target
POOL = golden_pool()
PROGRAMS, SHARED = share_data([assemble(plan) for plan in POOL.plans], POOL.name)
REPORT = PoolReport(POOL, PROGRAMS, SHARED, TARGET)
"""Filters of eight bytes each of a state and of what lives within a run, where the output is made over the input."""

TEXT = """\
Memory of pool stereo on board any
  arena                56 B   (optimal; lower bound 56 B)
  region            4,096 B   in sram
  apart                64 B   if each had its own: 8 B are saved
  kept                 32 B   from run to run
  weights               0 B   stored once: 0 B are saved
  above that, while it runs:
             8 B   left, the most in "inputs": no other model needs more
             8 B   right, the most in "inputs"
  of one owner always:
           0 ..        8         8 B  state "before:0" of left
           8 ..       16         8 B  state "before:0" of right
          16 ..       32        16 B  the caller's audio
  of one owner between runs:
          40 ..       56        16 B  the caller's fft
  what would make the arena smaller:
    leaving out buffer "audio": about 40 B
    leaving out model "left": about 48 B
"""


def test_the_text() -> None:
    assert pool_memory_files(REPORT)["stereo_memory.txt"] == TEXT


def test_the_json_is_the_record() -> None:
    record = pool_record(REPORT)
    assert json.loads(pool_memory_files(REPORT)["stereo_memory.json"]) == record
    assert record["apart_bytes"] == 2 * 16 + 16 + 16
    assert [model["states_bytes"] for model in record["models"]] == [8, 8]
    assert record["spans"][-1] == {
        "what": "the caller's fft",
        "offset_bytes": 40,
        "size_bytes": 16,
        "when": "between runs",
    }
