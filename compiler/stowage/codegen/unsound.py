# SPDX-License-Identifier: Apache-2.0
"""What is raised of a program that does not pass its proof."""

from __future__ import annotations

from stowage.errors import InvalidPlan


def unsound(where: str, reason: str) -> InvalidPlan:
    """The refusal of a program; `where` names the step, port or buffer."""
    return InvalidPlan(
        where=where, reason=reason, remedy="this is a defect of Stowage: please report it with the model"
    )
