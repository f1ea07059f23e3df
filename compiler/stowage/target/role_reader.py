# SPDX-License-Identifier: Apache-2.0
"""Reads which regions take which role."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stowage.target.board import Region, Role
from stowage.target.board_field import Field


def read_roles(board: Field, message: Any, regions: Sequence[Region]) -> dict[Role, tuple[Region, ...]]:
    """For each role its regions, the preferred one first.

    Raises:
        InvalidBoard: a role has no region, an unknown one, one twice, or one whose access is not the role's.
    """
    return {
        role: _read_role(board / "roles" / role.value, getattr(message.roles, role.value), role, regions)
        for role in Role
    }


def _read_role(here: Field, names: Sequence[str], role: Role, regions: Sequence[Region]) -> tuple[Region, ...]:
    by_name = {region.name: region for region in regions}
    if not names:
        raise here.refusal("no region takes this role", f"name one of {', '.join(sorted(by_name))}")
    here.unique(names)
    taken = tuple(by_name[here.one_of(name, by_name)] for name in names)
    for region in taken:
        if region.access is not role.access:
            raise here.refusal(
                f'region "{region.name}" is for {region.access.value}, this role needs {role.access.value}',
                "name another region, or correct its access",
            )
    return taken
