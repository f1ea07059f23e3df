# SPDX-License-Identifier: Apache-2.0
"""Discrete Fourier transforms as matrices: y[bin, part'] = sum over place, part of x[place, part] * matrix[...].

A part is 0 for a real, 1 for an imaginary one. All matrices have the axes place, part, bin, part', in float64. Places
beyond the length have no influence, missing ones count as zero.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Reals = NDArray[np.float64]


def complex_matrix(places: int, parts: int, length: int, bins: int, *, inverse: bool) -> Reals:
    """sum x e^(-2 pi i place bin / length); of the inverse with the opposite sign, and divided by the length.

    Args:
        places: extent of the input.
        parts: 1 where the input is real, 2 where it is complex.
        length: of the transform.
        bins: how many of its results are wanted, from the first on.
        inverse: the inverse transform.
    """
    cosines, sines = _cosines_and_sines(places, length, bins)
    if inverse:
        cosines, sines = cosines / length, -sines / length
    of_real = np.stack((cosines, -sines), axis=-1)
    of_imaginary = np.stack((sines, cosines), axis=-1)
    return np.stack((of_real, of_imaginary), axis=1)[:, :parts]


def real_matrix(bins: int, parts: int, length: int) -> Reals:
    """The inverse of a real signal's transform, from the bins 0 to length / 2: all others but the outermost are their
    conjugates, so these count twice. One real part comes out."""
    cosines, sines = _cosines_and_sines(bins, length, length)
    weights = np.full((bins, 1), 2.0 / length)
    weights[0] = 1.0 / length
    if length % 2 == 0 and length // 2 < bins:
        weights[length // 2] = 1.0 / length
    weights[length // 2 + 1 :] = 0.0
    return np.stack((weights * cosines, -weights * sines), axis=1)[:, :parts, :, None]


def _cosines_and_sines(places: int, length: int, bins: int) -> tuple[Reals, Reals]:
    """At 2 pi place bin / length, exact where they are 0, 1 or -1; zero for places beyond the length."""
    turns = np.outer(np.arange(places), np.arange(bins)) % length
    quarters = 4 * turns
    angles = 2 * np.pi * turns / length
    cosines = np.where(quarters % (2 * length) == length, 0.0, np.cos(angles))
    sines = np.where(quarters % (2 * length) == 0, 0.0, np.sin(angles))
    inside = (np.arange(places) < length)[:, None]
    return cosines * inside, sines * inside
