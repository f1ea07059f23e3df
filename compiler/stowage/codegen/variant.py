# SPDX-License-Identifier: Apache-2.0
"""A model of several sizes has a program for each: what such a program knows of the model that it is one size of."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Variant:
    """One size of a model.

    Attributes:
        model: C identifier of the model, whose arena it runs in.
        size: extents of the dimensions that vary, by name, in the order of the entry point's arguments.
    """

    model: str
    size: tuple[tuple[str, int], ...]

    @property
    def title(self) -> str:
        """For instance "frames = 10, batch = 2"."""
        return ", ".join(f"{name} = {extent}" for name, extent in self.size)


def variant_name(model: str, extents: tuple[int, ...]) -> str:
    """The C identifier of one size, for instance kws_10_2."""
    return "_".join((model, *map(str, extents)))
