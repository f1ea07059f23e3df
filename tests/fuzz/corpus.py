# SPDX-License-Identifier: Apache-2.0
"""The broken files: every one is made from a number, out of a model that the project has or makes."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import onnx
from onnx.backend.test.loader import load_model_tests

from tests.fuzz.damage import damaged
from tests.fuzz.onnx_damage import altered
from tests.fuzz.tflite_seeds import tflite_seeds
from tests.fuzz.trial import Input

ROOT = Path(__file__).absolute().parents[2]

Seed = tuple[str, bytes]
"""A model's name and its file's content, which is in order."""


@dataclass(frozen=True, slots=True)
class Seeds:
    """The models to break."""

    onnx: Sequence[Seed]
    tflite: Sequence[Seed]


def broken_files(seeds: Seeds, first: int, count: int) -> Iterator[Input]:
    """The files with the numbers from `first` on."""
    for number in range(first, first + count):
        yield _broken_file(seeds, number)


def _broken_file(seeds: Seeds, number: int) -> Input:
    chance = random.Random(number)
    if chance.random() < 0.3:
        name, data = chance.choice(seeds.tflite)
        return Input(f"{number}_bytes_of_{name}.tflite", damaged(data, chance))
    name, data = chance.choice(seeds.onnx)
    if chance.random() < 0.5:
        return Input(f"{number}_bytes_of_{name}.onnx", damaged(data, chance))
    return Input(f"{number}_message_of_{name}.onnx", altered(onnx.ModelProto.FromString(data), chance))


def all_seeds() -> Seeds:
    """Models of the examples and ONNX's own small ones, an operator each; TFLite models made for the purpose."""
    files = [(path.stem, path.read_bytes()) for path in sorted(ROOT.glob("examples/*/*_int8.onnx"))]
    small = [(case.name, case.model.SerializeToString()) for case in load_model_tests(kind="node") if case.model]
    return Seeds(files * (len(small) // 20) + small, tflite_seeds())
