# SPDX-License-Identifier: Apache-2.0
"""Softmax of an 8-bit quantised tensor in integers: a table of exponentials and one reciprocal a row.

A row is the n elements along the softmax axis, 1 <= n <= 65536. Fixed at build time: ``c = ceil(log2(n))``, the table
``E[d] = floor(exp(-d * sx) * 2**30 + 0.5)`` for d = 0 … 255 (32-bit unsigned), and the multiplier M of ``2**-30 /
sy``. Then, all unsigned:

    e[j] = E[max(x) - x[j]]
    S    = (sum of e) >> c                      the sum in 64 bits; 2**(30-c) <= S <= 2**30
    R    = floor(2**(60-c) / S)                 2**(30-c) <= R <= 2**30
    p[j] = (e[j] * R) >> 30                     the probability times 2**30; a 64-bit product
    y[j] = clamp(zy + requantise(p[j], M))      `Rounding.ONCE`

R is the exact quotient: a kernel may take any algorithm, for instance 31 steps of restoring division, whose
instruction count does not depend on the data. The error before the last rounding is below 2**(c - 28) of the
probability: for n = 1024 and sy = 1/256 below 0.001 of a step.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from stowage.ir.requantise import Multiplier, quantise_multiplier

Int64s = NDArray[np.int64]
FRACTION_BITS = 30
LONGEST_ROW = 65536


def exponential_table(input_scale: float) -> NDArray[np.uint32]:
    """E: exp(-d * scale) for d = 0 … 255 with 30 fraction bits."""
    exact = np.exp(-np.arange(256, dtype=np.float64) * input_scale)
    fixed: NDArray[np.uint32] = np.floor(exact * 2**FRACTION_BITS + 0.5).astype(np.uint32)
    return fixed


def sum_shift(row_elements: int) -> int:
    """c: bits that the sum of a row may grow by.

    Raises:
        ValueError: the row is empty or longer than 65536 elements.
    """
    if not 1 <= row_elements <= LONGEST_ROW:
        raise ValueError(f"an integer softmax takes rows of 1 to {LONGEST_ROW} elements, not {row_elements}")
    return (row_elements - 1).bit_length()


def probability_multiplier(output_scale: float) -> Multiplier:
    """M: from probabilities with 30 fraction bits to steps of the output."""
    return quantise_multiplier(2.0**-FRACTION_BITS / output_scale)


def softmax_rows(rows: Int64s, input_scale: float) -> Int64s:
    """Probabilities p with 30 fraction bits along the last axis of integers of an 8-bit type."""
    shift = sum_shift(rows.shape[-1])
    table = exponential_table(input_scale).astype(np.int64)
    exponentials = table[rows.max(axis=-1, keepdims=True) - rows]
    sums = exponentials.sum(axis=-1, keepdims=True) >> shift
    reciprocals = (1 << (2 * FRACTION_BITS - shift)) // sums
    probabilities: Int64s = (exponentials * reciprocals) >> FRACTION_BITS
    return probabilities
