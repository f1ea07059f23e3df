# SPDX-License-Identifier: Apache-2.0
"""Test support: what the refusal of a broken model says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
from onnx import ModelProto

from stowage.errors import StowageError
from stowage.frontend.from_onnx.model_making import saved
from stowage.frontend.onnx_model import read_onnx

AGAIN = "export the model again."
CORRECT = "correct the model's shapes and types."

Case = tuple[str, ModelProto | bytes, str]
"""A name, a model or a file's bytes, and the sentence that refuses it."""


def refusal(
    model: ModelProto | bytes, folder: Path, kind: type[StowageError], dimensions: Mapping[str, int] | None = None
) -> str:
    """The sentence, without the file's name, after checking that it is one and of the right kind."""
    path = saved(model, folder)
    with pytest.raises(kind) as caught:
        read_onnx(path, dimensions or {})
    sentence = str(caught.value)
    assert "\n" not in sentence
    assert sentence.startswith(f"{path}: ")
    return sentence.removeprefix(f"{path}: ")


def edited(model: ModelProto, edit: Callable[[ModelProto], object]) -> ModelProto:
    """The model after an edit in place."""
    edit(model)
    return model
