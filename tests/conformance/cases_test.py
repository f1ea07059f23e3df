# SPDX-License-Identifier: Apache-2.0
"""Which cases there are, which are in scope, and what of them is constant."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from stowage.target.find_board import find_board
from tests.conformance.case import Case, load_cases
from tests.conformance.compiling import compile_case, operators_by_case
from tests.conformance.constants import as_built
from tests.conformance.scope import out_of_scope
from tests.conformance.verdict import Verdict, group_of, read_verdicts, write_verdicts

CASES = {case.name: case for case in load_cases()}


def test_the_package_has_as_many_cases_as_the_documents_say() -> None:
    assert len(CASES) == 1884
    assert sum(not out_of_scope(case.model) for case in CASES.values()) == 1526


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("test_add", ""),
        ("test_if", ""),
        ("test_training_dropout", ""),
        ("test_cast_FLOAT_to_DOUBLE", "takes or gives tensors of double"),
        ("test_sequence_insert_at_back", "takes or gives sequences"),
        ("test_optional_get_element_optional_tensor", "takes or gives optionals"),
        ("test_nonzero_example", "has an output whose shape depends on data"),
        ("test_bernoulli_expanded", "takes or gives tensors of double"),
        ("test_bernoulli_seed_expanded", "draws random numbers"),
        ("test_momentum", "trains"),
        ("test_ai_onnx_ml_binarizer", "is of ai.onnx.ml, operators of classical machine learning"),
    ],
)
def test_scope(name: str, reason: str) -> None:
    assert out_of_scope(CASES[name].model) == reason


def test_an_expansion_tests_the_operator_that_it_expands() -> None:
    operators = operators_by_case(CASES)
    assert operators["test_softmax_axis_1_expanded_ver18"] == operators["test_softmax_axis_1"] == "Softmax"
    assert set(operators) == set(CASES)


def test_inputs_that_say_what_to_do_are_constant_and_data_is_not() -> None:
    case = CASES["test_slice"]
    model, data = as_built(case)
    assert [value.name for value in model.graph.input] == ["x"] == list(data)
    assert [each.name for each in model.graph.initializer] == ["starts", "ends", "axes", "steps"]
    assert len(case.model.graph.input) == 5
    shape = [dimension.dim_value for dimension in model.graph.input[0].type.tensor_type.shape.dim]
    assert shape == list(np.shape(data["x"]))


def test_a_case_compiles_or_is_refused(tmp_path: Path) -> None:
    target = find_board("host")
    right = compile_case(CASES["test_add"], "Add", target, tmp_path)
    assert right.compiled is not None and right.verdict.is_compiled
    assert [each.dtype for each in right.verdict.outputs] == ["float32"]
    refused = compile_case(CASES["test_nonzero_example"], "NonZero", target, tmp_path)
    assert refused.compiled is None and not refused.verdict.fault
    assert refused.verdict.reason in refused.verdict.refusal
    assert str(tmp_path) not in refused.verdict.refusal


def test_what_is_no_refusal_is_a_fault(tmp_path: Path) -> None:
    case = CASES["test_add"]
    broken = Case(case.name, case.model, case.inputs, case.expected, case.relative, case.absolute)
    verdict = compile_case(broken, "Add", None, tmp_path).verdict  # type: ignore[arg-type]
    assert "AttributeError" in verdict.fault and not verdict.is_compiled


def test_verdicts_are_read_as_they_were_written(tmp_path: Path) -> None:
    target = find_board("host")
    verdicts = [
        compile_case(CASES[name], "", target, tmp_path).verdict for name in ("test_add", "test_nonzero_example")
    ]
    write_verdicts(verdicts, tmp_path / "verdicts")
    assert read_verdicts(tmp_path / "verdicts") == verdicts


def test_every_case_is_in_one_group() -> None:
    verdicts = [Verdict(name, "", "") for name in CASES]
    counts = Counter(each.name for group in range(8) for each in group_of(verdicts, group, 8))
    assert counts == dict.fromkeys(CASES, 1)
