# SPDX-License-Identifier: Apache-2.0
"""Test vectors: NumPy files with one vector along the leading axis, and the bytes that an image reads and writes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.generic]


@dataclass(frozen=True, slots=True)
class TensorBytes:
    """The type of one vector of a tensor: NumPy's name for the dtype, and the bytes of all its elements."""

    dtype: str
    size_bytes: int

    def __str__(self) -> str:
        return f"{self.size_bytes} B of {self.dtype}"


class VectorError(Exception):
    """Vectors that do not belong together or to their model; the message is a sentence that says which."""


def load(paths: Sequence[Path]) -> list[Array]:
    """One array a tensor, each [vector, ...], all with the same number of vectors.

    Raises:
        VectorError: there is no vector, a file holds something else, or the files hold different numbers of vectors.
    """
    arrays = [_load(path) for path in paths]
    counts = {path.name: len(array) for path, array in zip(paths, arrays, strict=True)}
    if len(set(counts.values())) > 1:
        raise VectorError(f"these files hold different numbers of vectors: {counts}")
    if 0 in counts.values() or not counts:
        raise VectorError(f"there are no vectors in {', '.join(counts) or 'no file'}")
    return arrays


def _load(path: Path) -> Array:
    try:
        array = np.load(path, allow_pickle=False)
    except (ValueError, OSError, EOFError) as failure:
        raise VectorError(f"{path.name} is no .npy file of numbers: {failure}") from failure
    if not isinstance(array, np.ndarray) or array.ndim == 0:
        raise VectorError(f"{path.name} has no axis of vectors")
    return array


def check_types(kind: str, arrays: Sequence[Array], types: Sequence[TensorBytes]) -> None:
    """Checks vectors of a model's inputs or outputs against what the model says of itself.

    Args:
        kind: "input" or "output".
        arrays: [vector, ...], one a tensor.
        types: what the model has, in the same order.

    Raises:
        VectorError: there are more or fewer tensors, or one has another type or size.
    """
    if len(arrays) != len(types):
        raise VectorError(f"the model has {len(types)} {kind}s, but there are vectors of {len(arrays)}")
    for index, (array, wanted) in enumerate(zip(arrays, types, strict=True)):
        given = TensorBytes(array.dtype.name, array[0].nbytes)
        if given != wanted:
            raise VectorError(f"{kind} {index} of the model is {wanted}, but its vectors are {given}")


def pack(arrays: Sequence[Array]) -> bytes:
    """Vector after vector, the little-endian bytes of each tensor in turn."""
    vectors = len(arrays[0])
    rows = [np.ascontiguousarray(array).reshape(vectors, -1) for array in arrays]
    return b"".join(
        row[index].astype(row.dtype.newbyteorder("<")).tobytes() for index in range(vectors) for row in rows
    )


def unpack(data: bytes, like: Sequence[Array]) -> list[Array]:
    """The arrays whose packed form is `data`, of the dtypes and shapes of `like`.

    Raises:
        VectorError: the data is shorter or longer than that.
    """
    sizes = [array[0].nbytes for array in like]
    vectors = len(like[0])
    if len(data) != vectors * sum(sizes):
        raise VectorError(f"the image wrote {len(data)} bytes of outputs, expected were {vectors * sum(sizes)}")
    table = np.frombuffer(data, dtype=np.uint8).reshape(vectors, sum(sizes))
    results: list[Array] = []
    start = 0
    for array, size in zip(like, sizes, strict=True):
        column = np.ascontiguousarray(table[:, start : start + size])
        results.append(column.view(array.dtype.newbyteorder("<")).reshape(array.shape))
        start += size
    return results
