# SPDX-License-Identifier: Apache-2.0
"""The float functions of the headers in core/ keep within the errors that these promise: over a dense sweep of all
floats, against double precision."""

from __future__ import annotations

import ctypes
import math
import os
import subprocess
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray

Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]

INCLUDE = Path(__file__).absolute().parent / "include"
EVERY = 509
"""One float in so many is tried: a prime, so that all exponents and mantissa patterns come up."""

SOURCE = """\
#include "stowage/core/angle.h"
#include "stowage/core/erf.h"
#include "stowage/core/hyperbolic.h"
#include "stowage/core/inverse_angle.h"
#include "stowage/core/logarithm.h"
#include "stowage/core/math.h"
#include "stowage/core/round.h"

#define SWEEP(function)                                                     \\
    void sweep_##function(const float *input, float *output, int64_t count); \\
    void sweep_##function(const float *input, float *output, int64_t count)  \\
    {                                                                       \\
        for (int64_t i = 0; i < count; ++i) {                               \\
            output[i] = stw_##function##_f32(input[i]);                     \\
        }                                                                   \\
    }

SWEEP(exp)
SWEEP(tanh)
SWEEP(sigmoid)
SWEEP(expm1)
SWEEP(log)
SWEEP(log1p)
SWEEP(sqrt)
SWEEP(erf)
SWEEP(sin)
SWEEP(cos)
SWEEP(tan)
SWEEP(asin)
SWEEP(acos)
SWEEP(atan)
SWEEP(sinh)
SWEEP(cosh)
SWEEP(asinh)
SWEEP(acosh)
SWEEP(atanh)
SWEEP(nearest)
SWEEP(floor)
SWEEP(ceil)
SWEEP(truncate)

void sweep_pow(const float *bases, const float *exponents, float *powers, int64_t count);
void sweep_pow(const float *bases, const float *exponents, float *powers, int64_t count)
{
    for (int64_t i = 0; i < count; ++i) {
        powers[i] = stw_pow_f32(bases[i], exponents[i]);
    }
}
"""

FUNCTIONS: dict[str, Callable[[Doubles], Doubles]] = {
    "exp": np.exp,
    "tanh": np.tanh,
    "sigmoid": lambda x: 1.0 / (1.0 + np.exp(-x)),
    "expm1": np.expm1,
    "log": np.log,
    "log1p": np.log1p,
    "sqrt": np.sqrt,
    "erf": np.vectorize(math.erf, otypes=[np.float64]),
    "sin": np.sin,
    "cos": np.cos,
    "tan": np.tan,
    "asin": np.arcsin,
    "acos": np.arccos,
    "atan": np.arctan,
    "sinh": np.sinh,
    "cosh": np.cosh,
    "asinh": np.arcsinh,
    "acosh": np.arccosh,
    "atanh": np.arctanh,
    "nearest": np.rint,
    "floor": np.floor,
    "ceil": np.ceil,
    "truncate": np.trunc,
}
DOMAINS = {"sigmoid": (-87.0, np.inf), "expm1": (-np.inf, 0.0), "log": (1e-45, np.inf), "log1p": (0.0, 1.0)}
DOMAINS |= {"sqrt": (0.0, np.inf), "asin": (-1.0, 1.0), "acos": (-1.0, 1.0), "atanh": (-0.9999999, 0.9999999)}
DOMAINS["acosh"] = (1.0, np.inf)
NEAR_ZERO = {"sin": 2.0**-44, "cos": 2.0**-44, "tan": 2.0**-44}
"""Absolute errors that are promised where the result is so small that they exceed the relative ones."""


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> ctypes.CDLL:
    folder = tmp_path_factory.mktemp("math")
    (folder / "sweep.c").write_text(SOURCE)
    flags = ["-std=c99", "-O2", "-Wall", "-Wextra", "-Wconversion", "-Werror", "-shared", "-fPIC", f"-I{INCLUDE}"]
    command = [os.environ.get("CC", "cc"), *flags, str(folder / "sweep.c"), "-o", str(folder / "sweep.so")]
    subprocess.run(command, check=True)
    return ctypes.CDLL(str(folder / "sweep.so"))


def evaluate(library: ctypes.CDLL, function: str, numbers: Floats) -> Floats:
    results = np.empty_like(numbers)
    pointers = (array.ctypes.data_as(ctypes.c_void_p) for array in (numbers, results))
    getattr(library, f"sweep_{function}")(*pointers, ctypes.c_int64(len(numbers)))
    return results


def sweep() -> Floats:
    bits = np.arange(0, 2**32, EVERY, dtype=np.uint64).astype(np.uint32).view(np.float32)
    return bits[np.isfinite(bits)]


def errors_ulp(results: Floats, exact: Doubles) -> Doubles:
    """Errors in the distance of the floats around the exact value; 0 where that is beyond the largest float."""
    exponents = np.frexp(np.maximum(np.abs(exact), 2.0**-126))[1] - 1
    with np.errstate(invalid="ignore", over="ignore"):
        distances = np.abs(results.astype(np.float64) - exact) / np.ldexp(1.0, exponents - 23)
        return np.where(np.isinf(exact.astype(np.float32)), 0.0, distances)


@pytest.mark.parametrize(
    ("function", "limit"),
    [
        *(("exp", 1.0), ("tanh", 2.0), ("sigmoid", 3.0), ("expm1", 4.0), ("log", 1.0), ("log1p", 2.0)),
        *(("sqrt", 0.5), ("erf", 2.0), ("sin", 3.0), ("cos", 3.0)),
        *(("tan", 5.0), ("asin", 3.0), ("acos", 2.0), ("atan", 3.0), ("sinh", 6.0), ("cosh", 4.0)),
        *(("asinh", 3.0), ("acosh", 3.0), ("atanh", 3.0)),
    ],
)
def test_errors_are_within_the_promise(library: ctypes.CDLL, function: str, limit: float) -> None:
    numbers = sweep()
    low, high = DOMAINS.get(function, (-np.inf, np.inf))
    numbers = numbers[(numbers >= low) & (numbers <= high)]
    with np.errstate(over="ignore"):
        exact = FUNCTIONS[function](numbers.astype(np.float64))
    results = evaluate(library, function, numbers)
    errors = np.where(np.abs(results - exact) <= NEAR_ZERO.get(function, 0.0), 0.0, errors_ulp(results, exact))
    worst = int(np.argmax(errors))
    error = errors[worst]
    assert error <= limit, f"{function}({numbers[worst]!r}) = {results[worst]!r} is {error:.3f} ulp off"
    assert error > 0.5 * limit, f"the promise of {limit} ulp is too loose: {error:.3f}"


def test_overflow_of_exp_is_infinite_exactly_where_it_should_be(library: ctypes.CDLL) -> None:
    numbers = sweep()
    with np.errstate(over="ignore"):
        infinite = np.isinf(np.exp(numbers.astype(np.float64)).astype(np.float32))
    np.testing.assert_array_equal(np.isinf(evaluate(library, "exp", numbers)), infinite)


@pytest.mark.parametrize("function", ["nearest", "floor", "ceil", "truncate"])
def test_rounding_to_whole_numbers_is_exact(library: ctypes.CDLL, function: str) -> None:
    numbers = sweep()
    results, expected = evaluate(library, function, numbers), FUNCTIONS[function](numbers.astype(np.float64))
    np.testing.assert_array_equal(results, expected)
    np.testing.assert_array_equal(np.signbit(results), np.signbit(expected))


def test_roots_at_the_limits(library: ctypes.CDLL) -> None:
    at = np.array([np.inf, 0.0, -0.0, -1.0, -np.inf], np.float32)
    results = evaluate(library, "sqrt", at)
    np.testing.assert_array_equal(results, [np.inf, 0.0, 0.0, np.nan, np.nan])
    np.testing.assert_array_equal(np.signbit(results[1:3]), [False, True])


def test_powers_are_within_the_promise(library: ctypes.CDLL) -> None:
    random = np.random.default_rng(1)
    bases = np.exp(random.uniform(-80, 80, 200_000)).astype(np.float32)
    exponents = (random.uniform(-80, 80, bases.size) / np.log(bases)).astype(np.float32)
    powers = np.empty_like(bases)
    pointers = (array.ctypes.data_as(ctypes.c_void_p) for array in (bases, exponents, powers))
    library.sweep_pow(*pointers, ctypes.c_int64(bases.size))
    exact = bases.astype(np.float64) ** exponents
    promised = 2.0**-23 * (2 + 2 * np.abs(exponents * np.log2(bases.astype(np.float64))))
    shares = np.abs(powers - exact) / exact / promised
    assert 0.2 < shares.max() <= 1.0


def test_sigmoid_far_below_zero_is_tiny(library: ctypes.CDLL) -> None:
    numbers = np.linspace(-200, -87, 10001).astype(np.float32)
    results = evaluate(library, "sigmoid", numbers)
    assert results.min() >= 0
    assert results.max() <= 2 * np.finfo(np.float32).smallest_normal


@pytest.mark.parametrize(
    ("function", "numbers", "expected"),
    [
        ("asin", [1, -1, 1.5, -2, -0.0], [np.pi / 2, -np.pi / 2, np.nan, np.nan, -0.0]),
        ("acos", [1, -1, 1.5, -2, 0], [0, np.pi, np.nan, np.nan, np.pi / 2]),
        ("acosh", [1, 0.5, -3, np.inf], [0, np.nan, np.nan, np.inf]),
        ("atanh", [1, -1, 1.5, -2, -0.0], [np.inf, -np.inf, np.nan, np.nan, -0.0]),
        ("sinh", [90, -90, 89.2], [np.inf, -np.inf, np.sinh(np.float32(89.2).astype(float))]),
    ],
)
def test_ends_of_domains(library: ctypes.CDLL, function: str, numbers: list[float], expected: list[float]) -> None:
    results = evaluate(library, function, np.array(numbers, np.float32))
    np.testing.assert_allclose(results, expected, rtol=1e-5)
    numbered = ~np.isnan(expected)
    np.testing.assert_array_equal(np.signbit(results)[numbered], np.signbit(expected)[numbered])


@pytest.mark.parametrize(
    ("function", "expected"),
    [
        ("exp", [np.inf, 0, np.inf, 0, 1, 1]),
        ("cosh", [np.inf, np.inf, np.inf, np.inf, 1, 1]),
        ("asinh", [np.inf, -np.inf, np.inf, -np.inf, 0, -0.0]),
        ("tanh", [1, -1, 1, -1, 0, -0.0]),
        ("sigmoid", [1, 0, 1, 0, 0.5, 0.5]),
        ("erf", [1, -1, 1, -1, 0, -0.0]),
    ],
)
def test_limits(library: ctypes.CDLL, function: str, expected: list[float]) -> None:
    at = np.array([np.inf, -np.inf, np.nan, -np.nan, 0.0, -0.0], np.float32)
    results = evaluate(library, function, at)
    np.testing.assert_array_equal(results, np.array(expected, np.float32))
    np.testing.assert_array_equal(np.signbit(results), np.signbit(expected))
