# SPDX-License-Identifier: Apache-2.0
"""Tables of signal processing that depend on constants alone: window functions and the matrix of mel filters."""

from __future__ import annotations

from functools import partial

import numpy as np
from onnx import TensorProto

from stowage.frontend.from_onnx.declared_types import check_size
from stowage.frontend.from_onnx.element_types import dtype_of
from stowage.frontend.from_onnx.node_site import Importers, NodeSite, Results
from stowage.ir.graph import Array
from stowage.ir.tensor_type import TensorType

Coefficients = tuple[float, ...]
_HAMMING = 25.0 / 46.0


def _window(site: NodeSite, coefficients: Coefficients) -> Results:
    """The sum of c[m] cos(2 pi m k / N), where N is the size, or one less for a symmetric window."""
    size = int(_scalar(site, 0, "the size"))
    period = size if site.flag("periodic", True) else size - 1
    if size < 1:
        raise site.invalid(f"a window of {size} places does not exist")
    type_ = TensorType((size,), dtype_of(site.integer("output_datatype", TensorProto.FLOAT), site.where))
    check_size(type_, site.where)
    turns = 2 * np.pi * np.arange(size) / max(period, 1)
    window = sum(c * np.cos(order * turns) for order, c in enumerate(coefficients))
    return (np.asarray(window).astype(type_.dtype.numpy),)


def _mel_weight_matrix(site: NodeSite) -> Results:
    """Triangular filters [bins of the spectrum, mel bins] whose corners are evenly spaced on the mel scale."""
    mels, length, rate = (int(_scalar(site, index, "a size")) for index in range(3))
    low, high = (float(_scalar(site, index, "an edge")) for index in (3, 4))
    if min(mels, length, rate) < 1 or not 0 <= low < high:
        raise site.invalid(f"{mels} mel bins from {low} Hz to {high} Hz, sampled at {rate} Hz, do not exist")
    dtype = dtype_of(site.integer("output_datatype", TensorProto.FLOAT), site.where)
    check_size(TensorType((length // 2 + 1, mels), dtype), site.where)
    corners = _corners(mels, length, rate, low, high)
    if corners[-1] > length // 2 + 1:
        raise site.invalid(f"the upper edge of {high} Hz is above half the sample rate of {rate} Hz")
    return (_filters(corners, length // 2 + 1).astype(dtype.numpy),)


def _corners(mels: int, length: int, rate: int, low: float, high: float) -> Array:
    """The bins of the spectrum at which filters begin, peak and end: [mels + 2]."""
    first, last = (2595.0 * np.log10(1.0 + edge / 700.0) for edge in (low, high))
    places = first + (last - first) / (mels + 2) * np.arange(mels + 2)
    hertz = 700.0 * (10.0 ** (places / 2595.0) - 1.0)
    return np.asarray((length + 1) * hertz // rate, np.int64)


def _filters(corners: Array, bins: int) -> Array:
    """Filter m rises from corner m to 1 at corner m + 1 and falls to corner m + 2."""
    filters = np.zeros((bins, len(corners) - 2))
    for mel in range(len(corners) - 2):
        begin, peak, end = (int(corner) for corner in corners[mel : mel + 3])
        rising, falling = np.arange(begin, min(peak + 1, bins)), np.arange(peak, min(end, bins))
        filters[rising, mel] = (rising - begin) / (peak - begin) if peak > begin else 1.0
        filters[falling, mel] = (end - falling) / max(end - peak, 1)
    return filters


def _scalar(site: NodeSite, index: int, what: str) -> float:
    given = site.known(index, what)
    if given.size != 1 or not np.isfinite(given).all():
        raise site.invalid(f"{what} must be one number, but is {given.tolist()}")
    return float(given.item())


IMPORTERS: Importers = {
    "HannWindow": partial(_window, coefficients=(0.5, -0.5)),
    "HammingWindow": partial(_window, coefficients=(_HAMMING, _HAMMING - 1.0)),
    "BlackmanWindow": partial(_window, coefficients=(0.42, -0.5, 0.08)),
    "MelWeightMatrix": _mel_weight_matrix,
}
