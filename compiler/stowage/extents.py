# SPDX-License-Identifier: Apache-2.0
"""What a user says a symbolic dimension may be: one extent, or several, each of which gets a plan of its own.

10            one extent
10,20,50      a list
10..13        all from 10 to 13
16..64/16     from 16 to 64 in steps of 16
1,16..64/16   a list may hold ranges
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping

from stowage.errors import StowageError

MOST_SIZES = 64
"""So many plans a model may have: more make a build that nobody waits for, and code that no flash holds."""

Extents = tuple[int, ...]
"""What a dimension may be, in the user's order."""

_PART = re.compile(r"([1-9][0-9]{0,8})(?:\.\.([1-9][0-9]{0,8})(?:/([1-9][0-9]{0,8}))?)?", re.ASCII)
_FORMS = "write NAME=N, for instance batch=1, or several as in frames=10,20 or frames=16..64/16"


def dimension_extents(option: str) -> tuple[str, Extents]:
    """Name and extents of a dimension from `NAME=EXTENTS`.

    Raises:
        StowageError: it is none of the forms above, a range does not go up or misses its end, an extent is there
            twice, or there are too many.
    """
    name, separator, text = option.rpartition("=")
    parts = [_PART.fullmatch(part) for part in text.split(",")]
    if not separator or not name or not all(parts):
        raise _refused(f'"{option}" does not give a dimension positive whole numbers', _FORMS)
    extents: list[int] = []
    for part in parts:
        if part is not None:
            extents += itertools.islice(_extents(part), MOST_SIZES + 1)
        if len(extents) > MOST_SIZES:
            raise _too_many(f"dimension {name!r}", f"more than {MOST_SIZES} extents")
    for extent in extents:
        if extents.count(extent) > 1:
            raise _refused(f'"{option}" has the extent {extent} twice', "give each extent once")
    return name, tuple(extents)


def sizes_of(dimensions: Mapping[str, Extents]) -> tuple[dict[str, int], ...]:
    """Every combination of extents, by names of dimensions; the last dimension changes first.

    Raises:
        StowageError: there are too many.
    """
    count = 1
    for extents in dimensions.values():
        count *= len(extents)
    if count > MOST_SIZES:
        raise _too_many(" and ".join(f"{name!r}" for name in varying(dimensions)), f"{count} combinations of extents")
    combinations = itertools.product(*dimensions.values())
    return tuple(dict(zip(dimensions, combination, strict=True)) for combination in combinations)


def varying(dimensions: Mapping[str, Extents]) -> tuple[str, ...]:
    """The names of those dimensions that have several extents."""
    return tuple(name for name, extents in dimensions.items() if len(extents) > 1)


def _extents(part: re.Match[str]) -> Iterator[int]:
    first, last, step = int(part[1]), int(part[2] or part[1]), int(part[3] or 1)
    if part[2] and last <= first:
        raise _refused(f'the range "{part[0]}" does not go up', "write the smaller extent first")
    if (last - first) % step:
        below = last - (last - first) % step
        reason = f'the range "{part[0]}" does not come to its end, but from {below} to {below + step}'
        raise _refused(reason, f"end it with {below} or {below + step}")
    return iter(range(first, last + 1, step))


def _refused(reason: str, remedy: str) -> StowageError:
    return StowageError(where="--dimension", reason=reason, remedy=remedy)


def _too_many(where: str, what: str) -> StowageError:
    reason = f"{where}: {what}, each of which would get a plan of its own; a model may have {MOST_SIZES}"
    return _refused(reason, "leave out those that your firmware does not run")
