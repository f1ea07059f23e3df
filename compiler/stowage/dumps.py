# SPDX-License-Identifier: Apache-2.0
"""The stages that a user wants to see, as files."""

from __future__ import annotations

from collections.abc import Sequence

from stowage.dump import dump, name_of
from stowage.errors import StowageError
from stowage.pipeline import Level


class Dumps:
    """Keeps the text of the wanted stages of all models that it is told of."""

    def __init__(self, wanted: Sequence[str]) -> None:
        self._wanted = tuple(wanted)
        self._stages: dict[str, None] = {}
        self._files: dict[str, str] = {}

    def observe(self, stage: str, level: Level) -> None:
        """Takes note of a stage."""
        self._stages[stage] = None
        if stage in self._wanted:
            self._files[f"{name_of(level)}.{stage}.mlir"] = dump(level)

    def files(self) -> dict[str, str]:
        """The texts by file name.

        Raises:
            StowageError: a wanted stage was none of those told of.
        """
        for stage in self._wanted:
            if stage not in self._stages:
                reason, remedy = f'there is no stage "{stage}"', f"name one of {', '.join(self._stages)}"
                raise StowageError(where="--dump", reason=reason, remedy=remedy)
        return self._files
