# SPDX-License-Identifier: Apache-2.0
"""Bytes of a pool's arena that belong to the firmware that runs the models, and how it asks for them."""

from __future__ import annotations

import re
from dataclasses import dataclass

from stowage.errors import StowageError

_INTEGERS = {f"{sign}int{8 * size}_t": size for size in (1, 2, 4, 8) for sign in ("", "u")}
_ELEMENT_BYTES = {**_INTEGERS, "float": 4, "double": 8}
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_ARRAY = re.compile(r"(\w+)\[([1-9][0-9]{0,9})\]", re.ASCII)


@dataclass(frozen=True, slots=True)
class CallerBuffer:
    """An array of the caller's.

    Attributes:
        name: C identifier, of lower case.
        ctype: C element type.
        elements: how many there are, at least 1.
        is_kept: whether it holds its bytes while models run; else it is the caller's between runs alone.
    """

    name: str
    ctype: str
    elements: int
    is_kept: bool

    @property
    def size_bytes(self) -> int:
        """The bytes of all elements."""
        return self.elements * _ELEMENT_BYTES[self.ctype]

    @property
    def title(self) -> str:
        """What reports call it."""
        return f"the caller's {self.name}" + ("" if self.is_kept else ", between runs")


def caller_buffer(name: str, array: str, *, is_kept: bool) -> CallerBuffer:
    """The buffer that a user asks for with a name and an array type such as "int16_t[16000]".

    Raises:
        StowageError: the name is no C identifier of lower case, or the text no array of a known type.
    """
    if not _NAME.fullmatch(name):
        raise _refused(
            name,
            "its name is no C identifier of lower case",
            "use letters a to z, digits and underscores, for instance audio",
        )
    match = _ARRAY.fullmatch(array)
    if match is None or match[1] not in _ELEMENT_BYTES:
        types = ", ".join(_ELEMENT_BYTES)
        raise _refused(
            name,
            f'"{array}" is no array type of C with a positive number of elements',
            f"write for instance int16_t[16000]; element types are {types}",
        )
    return CallerBuffer(name, match[1], int(match[2]), is_kept)


def check_names(buffers: tuple[CallerBuffer, ...]) -> None:
    """Refuses buffers of one name.

    Raises:
        StowageError: two have the same name.
    """
    seen: set[str] = set()
    for buffer in buffers:
        if buffer.name in seen:
            raise _refused(buffer.name, "there are two of this name", "give each a name of its own")
        seen.add(buffer.name)


def _refused(name: str, reason: str, remedy: str) -> StowageError:
    return StowageError(where=f'buffer "{name}"', reason=reason, remedy=remedy)
