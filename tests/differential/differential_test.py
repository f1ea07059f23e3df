# SPDX-License-Identifier: Apache-2.0
"""A fixed sample of random models gives ONNX Runtime's answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.differential.trial import Subject, judge, subjects

_BATCHES = 20
_SEEDS_OF_A_BATCH = 3
_DEPTHS = (1, 4, 12)


def batch(number: int, folder: Path) -> list[Subject]:
    """Three models of different depths, each in all its forms."""
    first = number * _SEEDS_OF_A_BATCH
    seeds = range(first, first + _SEEDS_OF_A_BATCH)
    return [each for seed in seeds for each in subjects(seed, folder, _DEPTHS[seed % len(_DEPTHS)])]


@pytest.mark.parametrize("number", range(_BATCHES))
def test_random_models(number: int, tmp_path: Path) -> None:
    verdicts = judge(batch(number, tmp_path), tmp_path, poison=number % 2 == 1)
    faults = [f"{verdict.subject.name}: {fault}" for verdict in verdicts for fault in verdict.faults]
    assert not faults, "\n".join(faults)
    assert any(not verdict.refusal for verdict in verdicts)
