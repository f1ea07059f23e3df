# SPDX-License-Identifier: Apache-2.0
"""Calibration data for the models of the zoo, made from what is known of their test vectors.

- Vectors drawn from a normal distribution: 256 others are drawn.
- An input of a few numbers: thirty-two are drawn evenly between the smallest and the largest.
- Else every vector is moved along its axes: reversed along one, and rolled by a third and by two thirds along the
  longest. What is moved has the distribution of the vectors, and is none of them.
- States of a streaming model: those that the float model has after each of the others, from the first vector's on.
- Where the model beside it was calibrated with the test vectors themselves (as many calibration vectors as test
  vectors, `meta.json` says), so is ours.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stowage.ir.graph import Array, Graph
from stowage.ir.reference import run

_DRAWN, _SPREAD, _FEW = 256, 32, 4


def test_vectors(folder: Path, graph: Graph) -> dict[str, Array]:
    """The test vectors by input name, [vectors, *shape]."""
    return {value.name: np.load(folder / f"input_{index}.npy") for index, value in enumerate(graph.inputs)}


def calibration(folder: Path, graph: Graph) -> dict[str, Array]:
    """Calibration samples by input name, [samples, *shape]."""
    meta, vectors = json.loads((folder / "meta.json").read_text()), test_vectors(folder, graph)
    drawn = meta["vectors"]["description"] == f"{meta['vectors']['count']} normal random"
    if meta.get("qdq", {}).get("calibration_vectors", np.inf) <= meta["vectors"]["count"]:
        return vectors
    first, *states = graph.inputs
    samples = _drawn(vectors[first.name]) if drawn else _moved(vectors[first.name])
    return {first.name: samples} | _states(graph, samples, {state.name: vectors[state.name][0] for state in states})


def _drawn(vectors: NDArray[Any]) -> NDArray[Any]:
    return np.random.default_rng(0).standard_normal((_DRAWN, *vectors.shape[1:])).astype(vectors.dtype)


def _moved(vectors: NDArray[Any]) -> NDArray[Any]:
    shape = vectors.shape[1:]
    if vectors[0].size <= _FEW:
        drawn = np.random.default_rng(0).uniform(vectors.min(), vectors.max(), (_SPREAD, *shape))
        return drawn.astype(vectors.dtype)
    longest, *others = sorted(range(1, vectors.ndim), key=lambda axis: -vectors.shape[axis])
    reversed_ = next((axis for axis in others if vectors.shape[axis] > _FEW), longest)
    third = vectors.shape[longest] // 3
    rolled = (np.roll(vectors, places, longest) for places in (third, 2 * third))
    return np.concatenate([np.flip(vectors, reversed_), *rolled])


def _states(graph: Graph, samples: NDArray[Any], states: dict[str, Array]) -> dict[str, Array]:
    """The states before each sample; state k is an input, and what becomes of it the output of the same number."""
    seen: dict[str, list[Array]] = {name: [] for name in states}
    for sample in samples if states else ():
        values = run(graph, {graph.inputs[0].name: sample} | states)
        for index, name in enumerate(states, 1):
            seen[name].append(states[name])
            states = states | {name: values[graph.outputs[index].name]}
    return {name: np.array(arrays) for name, arrays in seen.items()}
