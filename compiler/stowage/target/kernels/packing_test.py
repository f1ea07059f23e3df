# SPDX-License-Identifier: Apache-2.0
"""Where each weight lies, for each way of multiplying them; what comes of it is in rows_at_once_test.py."""

from __future__ import annotations

import numpy as np
import pytest

from stowage.ir.graph import Arithmetic, Array
from stowage.target.kernels.kernel import Site
from stowage.target.kernels.packing import Packing, packed, packing_for


def matrix(channels: int, depth: int) -> Array:
    """Weights that tell their own place: 20 * channel + depth."""
    return np.array([[20 * channel + k for k in range(depth)] for channel in range(channels)], np.int8)


def test_pairs_are_four_depths_of_two_channels_even_ones_first() -> None:
    pairs = [0, 20, 2, 22, 40, 60, 42, 62, 1, 21, 3, 23, 41, 61, 43, 63]
    assert packed(matrix(4, 4), Packing.PAIRS).tolist() == pairs


def test_what_is_left_of_pairs_lies_depth_by_depth_and_channels_that_are_left_as_they_are() -> None:
    left = [4, 24, 44, 64, 5, 25, 45, 65]
    assert packed(matrix(5, 6), Packing.PAIRS).tolist()[16:] == [*left, *range(80, 86)]


def test_vectors_are_sixteen_depths_of_a_channel_and_the_rest_is_one_as_short() -> None:
    whole = [20 * channel + k for channel in range(4) for k in range(16)]
    rest = [20 * channel + k for channel in range(4) for k in (16, 17)]
    assert packed(matrix(5, 18), Packing.VECTORS).tolist() == [*whole, *rest, *range(80, 98)]


@pytest.mark.parametrize("packing", list(Packing))
@pytest.mark.parametrize(("channels", "depth"), [(1, 1), (4, 3), (7, 16), (8, 37)])
def test_every_weight_is_there_once(packing: Packing, channels: int, depth: int) -> None:
    weights = np.arange(channels * depth)
    assert sorted(packed(weights.reshape(channels, depth), packing)) == weights.tolist()


def test_each_core_gets_what_it_has_instructions_for() -> None:
    wanted = {"": Packing.SINGLY, "fpu": Packing.SINGLY, "dsp": Packing.PAIRS, "dsp mve": Packing.VECTORS}
    for features, packing in wanted.items():
        assert packing_for(Site({}, Arithmetic.ONNX, frozenset(features.split()))) is packing
