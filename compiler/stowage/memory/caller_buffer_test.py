# SPDX-License-Identifier: Apache-2.0
"""How a caller asks for bytes of a pool, and what it is told where that makes no sense."""

from __future__ import annotations

import pytest

from stowage.errors import StowageError
from stowage.memory.caller_buffer import CallerBuffer, caller_buffer, check_names

TYPES = "int8_t, uint8_t, int16_t, uint16_t, int32_t, uint32_t, int64_t, uint64_t, float, double"


@pytest.mark.parametrize(
    ("array", "size_bytes"),
    [("uint8_t[1]", 1), ("int16_t[16000]", 32000), ("float[3]", 12), ("double[2]", 16), ("uint64_t[10]", 80)],
)
def test_an_array_has_the_bytes_of_its_elements(array: str, size_bytes: int) -> None:
    buffer = caller_buffer("audio", array, is_kept=True)
    assert f"{buffer.ctype}[{buffer.elements}]" == array
    assert buffer.size_bytes == size_bytes


@pytest.mark.parametrize(
    "array", ["32000", "", "int16_t", "int16_t[]", "int16_t[0]", "int16_t[-1]", "int16_t[1.5]", "int[4]", "float[ 4]"]
)
def test_what_is_no_array(array: str) -> None:
    with pytest.raises(StowageError) as refusal:
        caller_buffer("audio", array, is_kept=False)
    assert str(refusal.value) == (
        f'buffer "audio": "{array}" is no array type of C with a positive number of elements; write for instance '
        f"int16_t[16000]; element types are {TYPES}."
    )


@pytest.mark.parametrize("name", ["", "Audio", "2nd", "a-b", "_a", "ton höhe"])
def test_what_is_no_name(name: str) -> None:
    with pytest.raises(StowageError) as refusal:
        caller_buffer(name, "float[4]", is_kept=True)
    assert str(refusal.value) == (
        f'buffer "{name}": its name is no C identifier of lower case; use letters a to z, digits and underscores, '
        "for instance audio."
    )


def test_two_of_one_name() -> None:
    kept, between = CallerBuffer("fft", "float", 4, True), CallerBuffer("fft", "float", 8, False)
    check_names((kept, CallerBuffer("audio", "float", 4, True)))
    with pytest.raises(StowageError, match='buffer "fft": there are two of this name; give each a name of its own'):
        check_names((kept, between))
