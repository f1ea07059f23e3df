# SPDX-License-Identifier: Apache-2.0
"""Random float models: several inputs, branches that meet and that end nowhere, outputs of all sorts."""

from __future__ import annotations

import random
from dataclasses import dataclass

import numpy as np
from onnx import ModelProto

from stowage.ir.graph import Array
from tests.differential import layers, shape_layers
from tests.differential.draft import Draft, Unfit
from tests.differential.strange_names import NameSource

OPSETS = (7, 8, 9, 10, 11, 12, *([13] * 4), 14, 15, 16, *([17] * 2), 18, 19, 20, *([21] * 2), 22, 23, 24, 25, 26, 28)
_LAYERS: tuple[layers.Layer, ...] = (
    *(layers.convolution, layers.convolution, layers.convolution, layers.pooling, layers.pooling),
    *(layers.global_pooling, layers.activation, layers.activation, layers.activation, layers.with_constant),
    *(layers.with_tensor, layers.with_tensor, layers.normalisation, layers.dense, layers.dense, layers.product),
    *(shape_layers.softmax, shape_layers.mean, shape_layers.arg_max, shape_layers.transpose, shape_layers.transpose),
    *(shape_layers.reshape, shape_layers.concat, shape_layers.concat, shape_layers.split, shape_layers.cut),
    *(shape_layers.pad, shape_layers.resize, shape_layers.dropout),
)
_MOVES: tuple[layers.Layer, ...] = (
    *(shape_layers.transpose, shape_layers.reshape, shape_layers.concat, shape_layers.split, shape_layers.cut),
    *(shape_layers.pad, shape_layers.integers, shape_layers.integers),
)
"""Layers for elements of any type."""
_ATTEMPTS = 6


@dataclass(frozen=True, slots=True)
class RandomModel:
    """A model and an example of its inputs."""

    proto: ModelProto
    inputs: dict[str, Array]


def random_model(seed: int, most_layers: int = 12, strange_names: bool | None = None) -> RandomModel:
    """The model of a seed.

    Args:
        seed: the same one gives the same model.
        most_layers: how deep it may be.
        strange_names: whether names are hostile; by default in a third of all models.
    """
    choices = random.Random(seed)
    strange = choices.random() < 1 / 3 if strange_names is None else strange_names
    draft = Draft(choices, choices.choice(OPSETS), NameSource(choices, strange))
    for _ in range(choices.choice((1, 1, 1, 2, 3))):
        draft.input(_example(draft))
    for _ in range(choices.randint(1, most_layers)):
        _grow(draft)
    outputs = _outputs(draft)
    _drop_unused_inputs(draft, outputs)
    return RandomModel(draft.finished(outputs), dict(draft.inputs))


def _example(draft: Draft) -> Array:
    """Mostly reals, now and then integers, which a Cast makes reals later."""
    reals = draft.reals(*_input_shape(draft.random))
    kind = draft.random.choice((np.int8, np.uint8, np.int32, np.int64)) if draft.chance(0.1) else np.float32
    return np.asarray(reals if kind is np.float32 else np.abs(40 * reals), kind)


def _input_shape(choices: random.Random) -> tuple[int, ...]:
    batch = choices.choice((1, 1, 1, 1, 2, 3))
    small = (1, 2, 3, 4, 5, 6, 8)
    ways: tuple[tuple[int, ...], ...] = (
        *[(batch, choices.choice(small), choices.choice((1, 4, 5, 7, 8, 9)), choices.choice((3, 5, 6, 8, 10)))] * 6,
        (batch, choices.choice(small), choices.choice((1, 5, 8, 16, 25))),
        (batch, choices.choice((1, 3, 10, 16, 33))),
        (choices.choice(small),),
        (),
    )
    return choices.choice(ways)


def _grow(draft: Draft) -> None:
    """One more layer, mostly on one of the latest tensors."""
    for _ in range(_ATTEMPTS):
        reals, whole = layers.floats(draft), [name for name in draft.values if name not in layers.floats(draft)]
        names = whole if not reals or (whole and draft.chance(0.25)) else reals
        x = draft.random.choice(names[-3:] if draft.chance(0.7) else names)
        layer = draft.random.choice(_MOVES if names is whole else _LAYERS)
        before = draft.saved()
        try:
            layer(draft, x)
            return
        except Unfit:
            draft.restore(before)


def _drop_unused_inputs(draft: Draft, outputs: list[str]) -> None:
    """Leaves out inputs that no output depends on, which Stowage refuses."""
    needed = set(outputs)
    for node in reversed(draft.nodes):
        if needed.intersection(node.output):
            needed.update(node.input)
    draft.inputs = {name: array for name, array in draft.inputs.items() if name in needed}
    known = {*draft.inputs, *draft.all_constants, ""}
    kept = []
    for node in draft.nodes:
        if known.issuperset(node.input):
            known.update(node.output)
            kept.append(node)
    draft.nodes = kept


def _outputs(draft: Draft) -> list[str]:
    """Most ends, some tensors from within, and now and then an input."""
    used = {name for node in draft.nodes for name in node.input}
    made = [name for node in draft.nodes for name in node.output if name in draft.values]
    ends = [name for name in made if name not in used]
    outputs = [name for name in ends if draft.chance(0.8)] or ends[-1:]
    outputs += [name for name in made if name in used and draft.chance(0.08)]
    if draft.chance(0.06) or not outputs:
        outputs.append(draft.random.choice(list(draft.inputs)))
    draft.random.shuffle(outputs)
    return list(dict.fromkeys(outputs))


def fresh_inputs(model: RandomModel, seed: int) -> dict[str, Array]:
    """Other inputs of the same types."""
    generator = np.random.default_rng(seed)
    return {name: _drawn(generator, array) for name, array in model.inputs.items()}


def _drawn(generator: np.random.Generator, example: Array) -> Array:
    if example.dtype == np.float32:
        return np.asarray(generator.normal(size=example.shape), np.float32)
    low = -128 if example.dtype == np.int8 else 0
    return generator.integers(low, low + 256, example.shape).astype(example.dtype)
