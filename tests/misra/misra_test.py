# SPDX-License-Identifier: Apache-2.0
"""Kernels and generated C keep MISRA C:2012's required rules, but where docs/misra.md says why not."""

from __future__ import annotations

from pathlib import Path

import pytest

from stowage.model_request import ModelRequest
from stowage.pipeline import compile_model
from stowage.target.find_board import find_board
from tests.misra.checker import Violation, violations
from tests.misra.deviations import Deviation, deviations

ROOT = Path(__file__).absolute().parents[2]
INCLUDE = ROOT / "runtime" / "include"
MODELS = sorted(ROOT.glob("examples/*/*.onnx"))
STATED = deviations((ROOT / "docs" / "misra.md").read_text(encoding="utf-8"))


def unstated(found: list[Violation]) -> list[Violation]:
    return [each for each in found if not any(deviation.covers(each) for deviation in STATED)]


@pytest.fixture(scope="module")
def in_kernels(tmp_path_factory: pytest.TempPathFactory) -> list[Violation]:
    """What is found in a file that includes every header of the runtime."""
    source = tmp_path_factory.mktemp("misra") / "every_kernel.c"
    headers = sorted(INCLUDE.glob("stowage/**/*.h"))
    source.write_text("".join(f'#include "{header.relative_to(INCLUDE)}"\n' for header in headers), encoding="utf-8")
    return violations(source, INCLUDE)


def test_kernels(in_kernels: list[Violation]) -> None:
    assert unstated(in_kernels) == []


def test_every_stated_deviation_is_needed(in_kernels: list[Violation]) -> None:
    """A place that no longer breaks its rule leaves the page."""
    idle = [
        (deviation.rule, place)
        for deviation in STATED
        for place in deviation.places
        if not place.startswith("net.")
        and not any(Deviation(deviation.rule, (place,), "").covers(each) for each in in_kernels)
    ]
    assert idle == []


@pytest.mark.parametrize("model", MODELS, ids=lambda path: path.name)
def test_generated_code(model: Path, tmp_path: Path) -> None:
    compiled = compile_model(ModelRequest(model, "net"), find_board("nrf52"))
    for file, text in compiled.sources.items():
        (tmp_path / file).write_text(text, encoding="utf-8")
    generated = [
        each
        for unit in ("net.c", "net_weights.c")
        for each in violations(tmp_path / unit, INCLUDE)
        if each.path in compiled.sources
    ]
    assert unstated(generated) == []


def test_a_violation_is_seen(tmp_path: Path) -> None:
    source = tmp_path / "wrong.c"
    source.write_text("int f(int a);\nint f(int a) { if (a) { return 1; } return 2; }\n", encoding="utf-8")
    assert {(each.rule, each.line) for each in violations(source, INCLUDE)} >= {("14.4", 2)}
