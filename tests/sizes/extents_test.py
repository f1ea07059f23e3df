# SPDX-License-Identifier: Apache-2.0
"""What a user may say of a dimension, and what is refused; `extents_test.bzl` has the same of the rules."""

from __future__ import annotations

import pytest

from stowage.errors import StowageError
from stowage.extents import dimension_extents, sizes_of, varying


@pytest.mark.parametrize(
    ("text", "extents"),
    [
        ("10", (10,)),
        ("10,20,50", (10, 20, 50)),
        ("10..13", (10, 11, 12, 13)),
        ("16..64/16", (16, 32, 48, 64)),
        ("1,16..64/16", (1, 16, 32, 48, 64)),
        ("1..64", tuple(range(1, 65))),
    ],
)
def test_extents(text: str, extents: tuple[int, ...]) -> None:
    assert dimension_extents(f"past=frames={text}") == ("past=frames", extents)


@pytest.mark.parametrize(
    "text", ["", "0", "1,", ",1", "1,,2", "1..", "..3", "1..3/", "1..3/0", "1/2", "1:3", "0..3", "1 ,2", "a,b", "٣,٤"]
)
def test_texts_that_are_none(text: str) -> None:
    with pytest.raises(StowageError, match="does not give a dimension positive whole numbers"):
        dimension_extents(f"frames={text}")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("20..10", 'the range "20..10" does not go up; write the smaller extent first.'),
        ("10..10", 'the range "10..10" does not go up; write the smaller extent first.'),
        ("8..18/4", 'the range "8..18/4" does not come to its end, but from 16 to 20; end it with 16 or 20.'),
        ("8,4..12/4", '"frames=8,4..12/4" has the extent 8 twice; give each extent once.'),
        (
            "1..65",
            "dimension 'frames': more than 64 extents, each of which would get a plan of its own; a model may have 64; "
            "leave out those that your firmware does not run.",
        ),
    ],
)
def test_lists_that_make_no_sense(text: str, sentence: str) -> None:
    with pytest.raises(StowageError) as refusal:
        dimension_extents(f"frames={text}")
    assert str(refusal.value) == f"--dimension: {sentence}"


def test_combinations() -> None:
    dimensions = {"b": (1, 2), "one": (7,), "a": (3, 5)}
    assert varying(dimensions) == ("b", "a")
    assert [tuple(size.values()) for size in sizes_of(dimensions)] == [(1, 7, 3), (1, 7, 5), (2, 7, 3), (2, 7, 5)]
    assert len(sizes_of({"a": tuple(range(8)), "b": tuple(range(8))})) == 64
    with pytest.raises(StowageError, match="65 combinations of extents"):
        sizes_of({"a": tuple(range(13)), "b": tuple(range(5))})
