# SPDX-License-Identifier: Apache-2.0
"""Numbers in C are the very numbers that they were, as a C compiler reads them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

from stowage.codegen.c_compiler import compile_c, output_of
from stowage.codegen.literals import array, parameter, scalar

_PROGRAM = """\
#include <stdint.h>
#include <stdio.h>

#include "stowage/core/kernel.h"

static const {ctype} values[] = {{
{lines}
}};

int main(void)
{{
    return fwrite(values, sizeof values[0], sizeof values / sizeof values[0], stdout) == {count}u ? 0 : 1;
}}
"""
_CTYPES = {"bool": "uint8_t", "float32": "float", "float64": "double"}


def random_bits(dtype: type[np.floating]) -> NDArray[np.floating]:
    """Floats of every magnitude, subnormal ones and infinities among them, but no NaN."""
    bits = np.random.default_rng(7).integers(0, 256, 4000 * np.dtype(dtype).itemsize, dtype=np.uint8)
    values = bits.view(dtype)
    limits = np.finfo(dtype)
    plain = [0.0, 1.0, 0.1, 1e-5, 16777216.0, np.inf, limits.max, limits.tiny, limits.smallest_subnormal]
    corners = np.array([*plain, limits.tiny - limits.smallest_subnormal, np.nextafter(dtype(1), dtype(2))], dtype=dtype)
    return np.concatenate([values[~np.isnan(values)], corners, -corners])


def integers(dtype: type[np.integer]) -> NDArray[np.integer]:
    """The ends of the type's range and of the narrower ones, and what lies beside them."""
    limits = np.iinfo(dtype)
    powers = [sign * 2**bits + beside for bits in range(65) for sign in (-1, 0, 1) for beside in (-1, 0, 1)]
    return np.array(sorted({value for value in powers if limits.min <= value <= limits.max}), dtype=dtype)


ARRAYS = [
    *(random_bits(dtype) for dtype in (np.float32, np.float64)),
    *(integers(getattr(np, f"{sign}int{bits}")) for bits in (8, 16, 32, 64) for sign in ("", "u")),
    np.array([[True], [False]]),
]


@pytest.mark.parametrize("values", ARRAYS, ids=lambda values: values.dtype.name)
def test_arrays_read_back_bit_by_bit(values: NDArray[np.generic], tmp_path: Path) -> None:
    name = values.dtype.name
    lines = list(array(values))
    assert max(map(len, lines)) <= 108
    text = _PROGRAM.format(ctype=_CTYPES.get(name, f"{name}_t"), lines="\n".join(lines), count=values.size)
    program = compile_c(tmp_path, {"literals.c": text})
    np.testing.assert_array_equal(np.frombuffer(output_of(program), np.uint8), values.ravel().view(np.uint8))


def test_parameters() -> None:
    assert parameter((1, -2)) == "{1, -2}"
    assert parameter((0.5, float("inf"))) == "{0.5f, STW_INFINITY}"
    assert parameter(3) == "3"
    assert scalar(-1.0) == "-1.0f"
    assert scalar(1e-5) == "1e-05f"
    assert scalar(True) == "1"
