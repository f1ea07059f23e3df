# SPDX-License-Identifier: Apache-2.0
"""Test vectors: NumPy files with one vector along the leading axis, and the plain bytes that an image reads and writes."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.generic]


class VectorError(Exception):
    """Vectors that do not belong together; the message names the files and counts."""


def load(paths: Sequence[Path]) -> list[Array]:
    """One array a tensor, each [vector, ...], all with the same number of vectors."""
    arrays = [np.load(path, allow_pickle=False) for path in paths]
    counts = {path.name: len(array) for path, array in zip(paths, arrays, strict=True)}
    if len(set(counts.values())) > 1:
        raise VectorError(f"these files hold different numbers of vectors: {counts}")
    return arrays


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
