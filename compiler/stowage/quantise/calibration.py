# SPDX-License-Identifier: Apache-2.0
"""Sample inputs of a model, read from a file: what quantisation measures ranges and errors on.

A `.npz` file has one array an input, under the input's name in the model; a `.npy` file has the one array of a model
with one input. The first axis of every array counts samples; the rest is the input's shape, of which a batch of one may
be left out.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from stowage.errors import StowageError
from stowage.ir.graph import Array, Graph, Value


class InvalidSamples(StowageError):
    """A file of samples or labels does not suit the model: missing, unreadable, of another shape or type, NaN."""


@dataclass(frozen=True, slots=True)
class Samples:
    """Inputs of a graph.

    Attributes:
        arrays: by input name [samples, *shape of the input].
        count: number of samples, at least one.
    """

    arrays: Mapping[str, Array]
    count: int

    def __iter__(self) -> Iterator[dict[str, Array]]:
        """Each sample as the inputs of one run."""
        for index in range(self.count):
            yield {name: array[index] for name, array in self.arrays.items()}

    def some(self, count: int) -> Samples:
        """At most `count` of the samples, from all over them."""
        if count >= self.count:
            return self
        taken = [index * self.count // count for index in range(count)]
        return Samples({name: array[taken] for name, array in self.arrays.items()}, count)


def read_samples(path: Path, graph: Graph) -> Samples:
    """The samples in a file, for a graph.

    Raises:
        InvalidSamples: the file cannot be read or does not suit the graph's inputs.
    """
    try:
        return samples_for(graph, _by_input(load_arrays(path), graph))
    except InvalidSamples as refusal:
        raise refusal.in_file(str(path)) from refusal


def load_arrays(path: Path) -> dict[str, Array]:
    """The arrays of a .npz file by name, or the one of a .npy file under an empty name."""
    try:
        loaded = np.load(path, allow_pickle=False)
        return {"": loaded} if isinstance(loaded, np.ndarray) else {name: loaded[name] for name in loaded.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile) as problem:
        reason = "there is no such file" if isinstance(problem, FileNotFoundError) else "it is no readable array file"
        remedy = "give a .npy or .npz file that numpy.save or numpy.savez has written, without Python objects"
        raise InvalidSamples(file=str(path), reason=reason, remedy=remedy) from problem


def samples_for(graph: Graph, arrays: Mapping[str, Array]) -> Samples:
    """Arrays by input name, checked against the graph's inputs."""
    checked = {value.name: _checked(value, arrays) for value in graph.inputs}
    counts = {name: len(array) for name, array in checked.items()}
    if len(set(counts.values())) > 1:
        told = ", ".join(f"{count} of {name}" for name, count in counts.items())
        raise InvalidSamples(
            reason=f"there are different numbers of samples: {told}", remedy="give every input as many as the others"
        )
    count = min(counts.values(), default=0)
    if count == 0:
        raise InvalidSamples(reason="there are no samples", remedy="give at least one, better some dozens")
    return Samples(checked, count)


def _by_input(arrays: Mapping[str, Array], graph: Graph) -> Mapping[str, Array]:
    if set(arrays) != {""}:
        return arrays
    if len(graph.inputs) != 1:
        names = ", ".join(value.name for value in graph.inputs)
        reason = f"it holds one array, but the model has the inputs {names}"
        raise InvalidSamples(reason=reason, remedy="give a .npz file with an array under each of these names")
    return {graph.inputs[0].name: arrays[""]}


def _checked(value: Value, arrays: Mapping[str, Array]) -> Array:
    array, shape = arrays.get(value.name), value.type.shape
    if array is None:
        given = ", ".join(sorted(arrays)) or "nothing"
        raise InvalidSamples(
            where=value.name, reason=f"there is no array of this input, only {given}", remedy="name the array after it"
        )
    if array.ndim == 0 or array.shape[1:] not in (shape, shape[1:] if shape[:1] == (1,) else shape):
        reason = f"its samples have the shape {list(array.shape[1:])}, but the model takes {list(shape)}"
        wanted = ", ".join(map(str, ("samples", *shape)))
        raise InvalidSamples(where=value.name, reason=reason, remedy=f"save an array of shape [{wanted}]")
    if array.dtype != value.type.dtype.numpy:
        reason = f"its samples are {array.dtype}, but the model takes {value.type.dtype.numpy}"
        raise InvalidSamples(where=value.name, reason=reason, remedy="convert them as the firmware would")
    if array.dtype.kind == "f" and not np.isfinite(array).all():
        reason = "its samples hold a NaN or an infinity"
        raise InvalidSamples(where=value.name, reason=reason, remedy="leave such samples out")
    return array.reshape(len(array), *shape)
