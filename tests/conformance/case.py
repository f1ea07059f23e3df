# SPDX-License-Identifier: Apache-2.0
"""ONNX's own backend tests of nodes, as the onnx package makes them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from onnx import ModelProto, TensorProto, numpy_helper
from onnx.backend.test.loader import load_model_tests


@dataclass(frozen=True, slots=True)
class Case:
    """A model with its inputs, what they give, and how near that has to be met.

    Attributes:
        name: as ONNX names it, `test_abs`.
        model: the model; never changed.
        inputs: one for each of the graph's inputs: an array, or a list or None for a sequence or nothing.
        expected: likewise for its outputs.
        relative: largest relative difference, `rtol`.
        absolute: largest absolute difference beside that, `atol`.
    """

    name: str
    model: ModelProto
    inputs: tuple[Any, ...]
    expected: tuple[Any, ...]
    relative: float
    absolute: float


def load_cases() -> list[Case]:
    """All cases, in the order of their names. Making them takes some seconds: ONNX computes what is expected."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        tests = load_model_tests(kind="node")
    return sorted((_case(test) for test in tests), key=lambda case: case.name)


def _case(test: Any) -> Case:
    ((inputs, expected),) = test.data_sets
    given, wanted = tuple(map(_data, inputs)), tuple(map(_data, expected))
    return Case(test.name, test.model, given, wanted, test.rtol, test.atol)


def _data(value: Any) -> Any:
    """The array where ONNX has a scalar or a message."""
    if isinstance(value, TensorProto):
        return numpy_helper.to_array(value)
    return np.asarray(value) if isinstance(value, np.generic) else value
