# SPDX-License-Identifier: Apache-2.0
"""core/half.h against NumPy: all 65,536 numbers of 16 bits, and floats around every place where rounding turns."""

from __future__ import annotations

import ctypes
import os
import subprocess
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

INCLUDE = Path(__file__).absolute().parent / "include"
SOURCE = """\
#include "stowage/core/half.h"

void widen(const uint16_t *input, float *output, int64_t count);
void widen(const uint16_t *input, float *output, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        output[i] = stw_from_f16(input[i]);
    }
}

void narrow(const float *input, uint16_t *output, int64_t count);
void narrow(const float *input, uint16_t *output, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        output[i] = stw_to_f16(input[i]);
    }
}
"""
EVERY = np.arange(2**16, dtype=np.uint16)
SANITISED = ("-g", "-fsanitize=undefined", "-fno-sanitize-recover=all")


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("half")
    (folder / "half.c").write_text(SOURCE)
    warnings = ["-Wall", "-Wextra", "-Wconversion", "-Werror"]
    command = [os.environ.get("CC", "cc"), "-std=c99", "-O2", *warnings, "-shared", "-fPIC", f"-I{INCLUDE}"]
    subprocess.run([*command, str(folder / "half.c"), "-o", str(folder / "half.so")], check=True)
    return ctypes.CDLL(str(folder / "half.so"))


def widened(library: ctypes.CDLL, halves: NDArray[np.uint16]) -> NDArray[np.float32]:
    floats = np.empty(halves.shape, np.float32)
    library.widen(halves.ctypes, floats.ctypes, ctypes.c_int64(halves.size))
    return floats


def narrowed(library: ctypes.CDLL, floats: NDArray[np.float32]) -> NDArray[np.uint16]:
    halves = np.empty(floats.shape, np.uint16)
    library.narrow(floats.ctypes, halves.ctypes, ctypes.c_int64(floats.size))
    return halves


def beside(floats: NDArray[np.float32]) -> NDArray[np.float32]:
    """Numbers and their neighbours in 32 bits."""
    up, down = np.nextafter(floats, np.float32(np.inf)), np.nextafter(floats, np.float32(-np.inf))
    return np.concatenate([floats, up, down])


def test_every_half_widens_exactly(library: ctypes.CDLL) -> None:
    expected = EVERY.view(np.float16).astype(np.float32)
    numbers = ~np.isnan(expected)
    found = widened(library, EVERY)
    np.testing.assert_array_equal(found[numbers].view(np.uint32), expected[numbers].view(np.uint32))
    assert np.isnan(found[~numbers]).all()
    np.testing.assert_array_equal(np.signbit(found), np.signbit(expected))


def test_widened_and_narrowed_every_half_is_itself(library: ctypes.CDLL) -> None:
    numbers = EVERY[~np.isnan(EVERY.view(np.float16))]
    np.testing.assert_array_equal(narrowed(library, widened(library, numbers)), numbers)


def test_floats_narrow_as_numpy_rounds_them(library: ctypes.CDLL) -> None:
    halves = np.sort(EVERY.view(np.float16)[np.isfinite(EVERY.view(np.float16))].astype(np.float32))
    midways = ((halves[1:].astype(np.float64) + halves[:-1]) / 2).astype(np.float32)
    bits = np.arange(0, 2**32, 9973, dtype=np.uint64).astype(np.uint32)
    limits = np.array([65504, 65519.996, 65520, 65536, 3e38, np.inf, 2**-25, 2**-24, 1e-45, 0], np.float32)
    floats = np.concatenate([beside(halves), beside(midways), bits.view(np.float32), beside(limits), beside(-limits)])
    with np.errstate(all="ignore"):
        expected = floats.astype(np.float16)
    found = narrowed(library, floats)
    numbers = ~np.isnan(floats)
    np.testing.assert_array_equal(found[numbers], expected.view(np.uint16)[numbers])
    assert np.isnan(found.view(np.float16)[~numbers]).all()


MAIN = """
int main(void)
{
    for (uint32_t i = 0; i < 65536u; ++i) {
        const float value = stw_from_bits_f32((int32_t)(i * 65537u));
        uint16_t half = (uint16_t)i;
        float wide;

        widen(&half, &wide, 1);
        narrow(&value, &half, 1);
    }
    return 0;
}
"""


def test_nothing_is_undefined(tmp_path: Path) -> None:
    (tmp_path / "main.c").write_text(SOURCE + MAIN)
    command = [os.environ.get("CC", "cc"), "-std=c99", "-O1", *SANITISED, f"-I{INCLUDE}", str(tmp_path / "main.c")]
    subprocess.run([*command, "-o", str(tmp_path / "main")], check=True)
    subprocess.run([str(tmp_path / "main")], check=True)
