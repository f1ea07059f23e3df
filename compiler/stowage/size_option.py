# SPDX-License-Identifier: Apache-2.0
"""An option whose value is a number of bytes, such as 1048576 or 20KiB."""

from __future__ import annotations

import re
from collections.abc import Callable

from stowage.errors import StowageError

_UNITS = {"": 1, "B": 1, "KiB": 1 << 10, "MiB": 1 << 20, "GiB": 1 << 30}


def size_of_option(option: str) -> Callable[[str], int]:
    """What reads the value of an option; it raises StowageError for what is no size."""

    def read(text: str) -> int:
        number = re.fullmatch(rf"([0-9]{{1,15}}) ?({'|'.join(_UNITS)})", text)
        if number is None:
            raise StowageError(where=option, reason=f'"{text}" is no size', remedy="write one such as 1048576 or 1MiB")
        return int(number[1]) * _UNITS[number[2]]

    return read
