# SPDX-License-Identifier: Apache-2.0
"""What a user's mistake is answered with: one sentence naming the file, the place, the reason and the remedy.

Every error that a user can cause is a `StowageError`; the command line prints it as it is and exits with status 1.
Anything else that escapes is a defect of the compiler and keeps its traceback.
"""

from __future__ import annotations


class StowageError(Exception):
    """A refusal: ``file: where: reason; remedy``.

    Attributes:
        file: the file at fault as the user named it, or an empty string where there is none.
        where: the node, tensor, field or region at fault, or an empty string for the file as a whole.
        reason: what is wrong, with the numbers.
        remedy: what the user can do about it.
    """

    def __init__(self, *, file: str = "", where: str = "", reason: str, remedy: str) -> None:
        self.file = file
        self.where = where
        self.reason = reason
        self.remedy = remedy
        super().__init__(reason)

    def __str__(self) -> str:
        place = "".join(f"{part}: " for part in (self.file, self.where) if part)
        return f"{place}{self.reason}; {self.remedy}."

    def in_file(self, file: str) -> StowageError:
        """The same refusal with the file's name filled in, for stages that know the node alone."""
        return self if self.file else type(self)(file=file, where=self.where, reason=self.reason, remedy=self.remedy)


class InvalidModel(StowageError):
    """The file is not a well-formed model: truncated, foreign, contradictory, cyclic, or holding a NaN weight."""


class UnsupportedModel(StowageError):
    """The model is well formed, but holds an operator, attribute, type or shape that Stowage does not compile."""


class DoesNotFit(StowageError):
    """The plan needs more than a region of the board has: names the region, the excess, the peak step, the remedy."""


class InvalidBoard(StowageError):
    """The board file contradicts itself or its schema: overlapping regions, an unknown role, a zero size."""


class InvalidPlan(StowageError):
    """The independent validator found that a plan would let two live buffers share bytes, or leave its region,
    or places that are given in advance would have it so."""
