# SPDX-License-Identifier: Apache-2.0
"""The broken files: every one is made from a number, out of a model that the project has or makes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from pathlib import Path

import onnx
from onnx.backend.test.loader import load_model_tests

from tests.fuzz.damage import damaged
from tests.fuzz.onnx_damage import altered
from tests.fuzz.trial import Input

ROOT = Path(__file__).absolute().parents[2]

Seed = tuple[str, bytes]
"""A model's name and its file's content, which is in order."""


def broken_files(seeds: Sequence[Seed], first: int, count: int) -> Iterator[Input]:
    """The files with the numbers from `first` on."""
    for number in range(first, first + count):
        chance = random.Random(number)
        name, data = chance.choice(seeds)
        if chance.random() < 0.5:
            yield Input(f"{number}_bytes_of_{name}.onnx", damaged(data, chance))
        else:
            yield Input(f"{number}_message_of_{name}.onnx", altered(onnx.ModelProto.FromString(data), chance))


def onnx_seeds() -> list[Seed]:
    """Models of the examples, and ONNX's own small ones, an operator each."""
    files = [(path.stem, path.read_bytes()) for path in sorted(ROOT.glob("examples/*/*_int8.onnx"))]
    small = [(case.name, case.model.SerializeToString()) for case in load_model_tests(kind="node") if case.model]
    return files * (len(small) // 20) + small
