# SPDX-License-Identifier: Apache-2.0
"""Constants that kernels move without looking at them keep their bytes."""

from __future__ import annotations

import numpy as np
import pytest

from stowage.codegen.assemble import as_words


@pytest.mark.parametrize("ctype", ["uint8_t", "uint32_t"])
def test_floats_moved_as_words_keep_their_bytes(ctype: str) -> None:
    numbers = np.array([[-0.25, 1.5], [3.0, -0.0]], np.float32)
    words = as_words(numbers, ctype)
    assert f"{words.dtype.name}_t" == ctype
    assert words.tobytes() == numbers.tobytes()


def test_numbers_that_are_computed_with_stay_numbers() -> None:
    numbers = np.array([-1, 2], np.int8)
    assert as_words(numbers, "int8_t") is numbers
