# SPDX-License-Identifier: Apache-2.0
"""The names of a pool and its models, by which C identifiers and files begin: all apart, whatever their case."""

from __future__ import annotations

from collections.abc import Sequence

from stowage.errors import StowageError
from stowage.frontend.model_name import is_c_name

_MODEL_FILES = ("", "_arena", "_weights", "_memory", "_quantisation")
_POOL_FILES = ("", "_weights", "_memory")


def check_pool_names(pool: str, models: Sequence[str]) -> None:
    """Refuses names that clash.

    Raises:
        StowageError: the pool's name is no C identifier, or two of the names make files of one name.
    """
    if not is_c_name(pool):
        raise StowageError(
            where=f'pool "{pool}"',
            reason="its name is no C identifier",
            remedy="give a name of letters, digits and underscores that begins with a letter",
        )
    taken = {f"{pool}{ending}".lower(): "the pool" for ending in _POOL_FILES}
    for model in models:
        for ending in _MODEL_FILES:
            stem = f"{model}{ending}"
            if stem.lower() in taken:
                owner = taken[stem.lower()]
                reason = f'model "{model}" and {owner} both make a file "{stem}"'
                raise StowageError(where=f'pool "{pool}"', reason=reason, remedy="give one of them another C name")
        taken |= {f"{model}{ending}".lower(): f'model "{model}"' for ending in _MODEL_FILES}
