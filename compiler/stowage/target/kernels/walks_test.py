# SPDX-License-Identifier: Apache-2.0
"""Merged axes visit the same places in the same order, and safe distances are the largest lead of writes over reads."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stowage.target.kernels.axes import filled_up, merged, row_major_strides
from stowage.target.kernels.kernel import Direction, NoKernel, Overlap
from stowage.target.kernels.overlaps import element_by_element, strided_distance_bytes

Walk = list[tuple[int, int, int]]
WALKS = st.lists(st.tuples(st.integers(1, 4), st.integers(-6, 6), st.integers(0, 6)), min_size=1, max_size=5)


def places(extents: tuple[int, ...], strides: tuple[int, ...]) -> list[int]:
    """Where a tensor is visited, in the order of the walk."""
    return [
        sum(index * step for index, step in zip(indices, strides, strict=True))
        for indices in itertools.product(*map(range, extents))
    ]


@settings(deadline=None)
@given(WALKS)
def test_merging_visits_the_same_places(walk: Walk) -> None:
    extents, first, second = zip(*walk, strict=True)
    whole, tensors = merged(extents, first, second)
    assert 1 not in whole
    for before, after in zip((first, second), tensors, strict=True):
        assert places(whole, after) == places(extents, before)


@settings(deadline=None)
@given(st.lists(st.integers(1, 5), min_size=1, max_size=6).map(tuple))
def test_row_major_tensor_is_one_axis(shape: tuple[int, ...]) -> None:
    strides = row_major_strides(shape)
    assert places(shape, strides) == list(range(len(places(shape, strides))))
    assert len(merged(shape, strides)[0]) <= 1


def test_filling_up() -> None:
    assert filled_up((7, 8), 1) == (1, 1, 1, 1, 1, 1, 7, 8)
    assert filled_up((), 0, 3) == (0, 0, 0)
    with pytest.raises(NoKernel, match="9 axes that cannot be merged"):
        filled_up((2,) * 9, 1)


@settings(deadline=None)
@given(WALKS, st.integers(-10, 10))
def test_safe_distance_is_the_largest_lead(walk: Walk, head_start: int) -> None:
    extents, read, written = zip(*walk, strict=True)
    leads = [w - r for w, r in zip(places(extents, written), places(extents, read), strict=True)]
    assert strided_distance_bytes(extents, written, read, head_start) == max(0, max(leads) + head_start)


@settings(deadline=None)
@given(st.integers(1, 20), st.sampled_from([1, 2, 4, 8]), st.sampled_from([1, 2, 4, 8]))
def test_element_by_element(elements: int, input_bytes: int, output_bytes: int) -> None:
    overlap = element_by_element(3, elements, input_bytes, output_bytes)
    if output_bytes <= input_bytes:
        assert overlap == Overlap(3, 0)
        return
    assert overlap.direction is Direction.BACKWARD
    start_of_output = overlap.distance_bytes + elements * (input_bytes - output_bytes)
    assert all(
        start_of_output + (index + 1) * output_bytes >= (index + 1) * input_bytes for index in range(elements - 1)
    ), "element index + 1 is written from where its predecessors end"
    assert start_of_output <= 0, "both may start at the same byte"
