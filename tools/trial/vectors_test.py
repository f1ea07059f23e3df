# SPDX-License-Identifier: Apache-2.0
"""Vectors in files and as bytes, and vectors that are refused."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from tools.trial.vectors import Array, TensorBytes, VectorError, check_types, load, pack, unpack

DTYPES = ["int8", "uint8", "int16", "int32", "int64", "float32", "bool"]


@st.composite
def _tensors(draw: st.DrawFn) -> list[Array]:
    vectors = draw(st.integers(1, 4))
    shapes = draw(st.lists(hnp.array_shapes(max_dims=3, max_side=4), min_size=1, max_size=3))
    return [draw(hnp.arrays(draw(st.sampled_from(DTYPES)), (vectors, *shape))) for shape in shapes]


@given(_tensors())
def test_bytes_come_back_as_they_went(arrays: list[Array]) -> None:
    for there, back in zip(arrays, unpack(pack(arrays), arrays), strict=True):
        assert there.dtype == back.dtype
        assert there.shape == back.shape
        assert there.tobytes() == back.tobytes()


def test_the_bytes_of_a_vector_are_together() -> None:
    arrays: list[Array] = [np.array([[1, 2], [5, 6]], np.uint8), np.array([[0x0403], [0x0807]], ">u2")]
    assert pack(arrays) == bytes([1, 2, 3, 4, 5, 6, 7, 8])


@pytest.mark.parametrize("size", [0, 7, 9, 16])
def test_outputs_of_another_size_are_refused(size: int) -> None:
    with pytest.raises(VectorError, match=f"the image wrote {size} bytes of outputs, expected were 8"):
        unpack(bytes(size), [np.zeros((2, 4), np.int8)])


def _saved(folder: Path, *arrays: Array) -> list[Path]:
    paths = [folder / f"{index}.npy" for index in range(len(arrays))]
    for path, array in zip(paths, arrays, strict=True):
        np.save(path, array)
    return paths


def test_files_of_as_many_vectors_are_loaded(tmp_path: Path) -> None:
    paths = _saved(tmp_path, np.zeros((3, 2), np.int8), np.ones((3, 5), np.float32))
    assert [array.shape for array in load(paths)] == [(3, 2), (3, 5)]


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        ([np.zeros((3, 2)), np.zeros((4, 2))], r"different numbers of vectors: \{'0.npy': 3, '1.npy': 4\}"),
        ([np.zeros((0, 2))], "there are no vectors in 0.npy"),
        ([], "there are no vectors in no file"),
        ([np.float32(1)], "0.npy has no axis of vectors"),
        ([np.array([{}])], "0.npy is no .npy file of numbers"),
    ],
)
def test_files_that_do_not_belong_together_are_refused(tmp_path: Path, arrays: list[Array], sentence: str) -> None:
    with pytest.raises(VectorError, match=sentence):
        load(_saved(tmp_path, *arrays))


@pytest.mark.parametrize("content", [b"", b"1,2,3\n", b"\x93NUMPY"])
def test_files_of_another_kind_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "x.npy"
    path.write_bytes(content)
    with pytest.raises(VectorError, match=r"x\.npy is no \.npy file of numbers"):
        load([path])


MODEL = [TensorBytes("int8", 4), TensorBytes("float32", 8)]
RIGHT: list[Array] = [np.zeros((2, 4), np.int8), np.zeros((2, 2), np.float32)]


def test_vectors_of_the_models_types_pass() -> None:
    check_types("output", RIGHT, MODEL)
    check_types("output", [RIGHT[0].reshape(2, 2, 1, 2), RIGHT[1]], MODEL)


@pytest.mark.parametrize(
    ("arrays", "sentence"),
    [
        (RIGHT[:1], "^the model has 2 outputs, but there are vectors of 1$"),
        ([*RIGHT, RIGHT[0]], "^the model has 2 outputs, but there are vectors of 3$"),
        ([np.zeros((2, 4), np.uint8), RIGHT[1]], "output 0 of the model is 4 B of int8, but its vectors are 4 B of u"),
        (
            [RIGHT[0], np.zeros((2, 8), np.int8)],
            "output 1 of the model is 8 B of float32, but its vectors are 8 B of i",
        ),
        (
            [np.zeros((2, 5), np.int8), RIGHT[1]],
            "output 0 of the model is 4 B of int8, but its vectors are 5 B of int8",
        ),
    ],
)
def test_vectors_of_another_type_are_refused(arrays: list[Array], sentence: str) -> None:
    with pytest.raises(VectorError, match=sentence):
        check_types("output", arrays, MODEL)
