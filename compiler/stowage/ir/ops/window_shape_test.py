# SPDX-License-Identifier: Apache-2.0
"""Windows that miss the image are found without trying every place."""

from __future__ import annotations

from itertools import product

import pytest

from stowage.ir.ops.op import ShapeError
from stowage.ir.ops.window_shape import WindowAxis, check_sees_image

POINT = WindowAxis(1, 1, 1, 0, 0)


def misses(axis: WindowAxis, extent: int) -> bool:
    """The definition: at some place no element of the window is inside."""
    for place in range(axis.places(extent)):
        start = place * axis.stride - axis.before
        if not any(0 <= start + tap * axis.dilation < extent for tap in range(axis.kernel)):
            return True
    return False


def refused(axis: WindowAxis, extent: int) -> bool:
    try:
        check_sees_image((extent, 1), (axis, POINT))
    except ShapeError:
        return True
    return False


def test_refused_exactly_where_the_window_misses_the_image() -> None:
    outcomes = set()
    for kernel, stride, dilation, before, after in product(range(1, 4), (1, 3), range(1, 5), range(6), range(6)):
        axis = WindowAxis(kernel, stride, dilation, before, after)
        for extent in range(1, 6):
            if axis.places(extent) > 0:
                assert refused(axis, extent) == misses(axis, extent), (axis, extent)
                outcomes.add(misses(axis, extent))
    assert outcomes == {True, False}


def test_huge_extents_take_no_time() -> None:
    check_sees_image((2**40, 1), (WindowAxis(3, 1, 1, 1, 1), POINT))
    with pytest.raises(ShapeError, match="nothing but padding along the height of 1099511627776"):
        check_sees_image((2**40, 1), (WindowAxis(3, 1, 1, 3, 0), POINT))
