# SPDX-License-Identifier: Apache-2.0
"""Classification accuracy on labelled data, of the float model and of the quantised one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from stowage.errors import StowageError
from stowage.ir.graph import Array, Graph
from stowage.quantise.calibration import InvalidSamples, load_arrays, read_samples
from stowage.quantise.output_error import outputs_of
from stowage.quantise.request import Labelled

_EVEN_ODDS = 0.5


class InaccurateModel(StowageError):
    """The quantised model classifies less of the labelled data rightly than its budget asks for."""


@dataclass(frozen=True, slots=True)
class Accuracy:
    """Shares of labelled samples that are classified as labelled, 0 to 1."""

    before: float
    after: float
    least: float
    samples: int


def accuracy(graph: Graph, quantised: Graph, labelled: Labelled) -> Accuracy:
    """The accuracy of both graphs, which have float inputs and outputs.

    The class is the largest entry of the first output along its last axis; where that has one entry, a probability, it
    is class 1 from 0.5 on.

    Raises:
        InvalidSamples: the files do not suit the model or each other.
        InaccurateModel: the quantised graph is below the budget.
    """
    samples = read_samples(labelled.inputs, graph)
    classes = [_classes(outputs_of(each, samples)[0]) for each in (graph, quantised)]
    labels = _labels(labelled.labels, classes[0])
    before, after = (float(np.mean(found == labels)) for found in classes)
    if after < labelled.least:
        raise InaccurateModel(
            where="accuracy",
            reason=f"{_percent(after)} of {samples.count} labelled samples are classified rightly in int8, after "
            f"{_percent(before)} in float, but at least {_percent(labelled.least)} are asked for",
            remedy="calibrate on more samples like these, keep the worst layers of the quantisation report float, or "
            "lower the budget",
        )
    return Accuracy(before, after, labelled.least, samples.count)


def _classes(output: NDArray[np.float64]) -> NDArray[np.int64]:
    """By sample and every axis but the last: the class."""
    if output.shape[-1] == 1:
        return np.asarray(output[..., 0] >= _EVEN_ODDS, np.int64)
    return np.asarray(output.argmax(axis=-1), np.int64)


def _labels(path: Path, classes: NDArray[np.int64]) -> NDArray[np.int64]:
    (array,) = load_arrays(path).values()
    if array.dtype.kind not in "iu":
        reason = f"labels are {array.dtype}, but must be whole numbers"
        raise InvalidSamples(file=str(path), reason=reason, remedy="save the index of each sample's class")
    if array.size != classes.size or len(array) != len(classes):
        reason = f"there are labels of shape {list(array.shape)} for classes of shape {list(classes.shape)}"
        raise InvalidSamples(file=str(path), reason=reason, remedy="give one label a sample")
    return _whole(array).reshape(classes.shape)


def _whole(array: Array) -> NDArray[np.int64]:
    return array.astype(np.int64)


def _percent(share: float) -> str:
    return f"{100 * share:.2f} %"
