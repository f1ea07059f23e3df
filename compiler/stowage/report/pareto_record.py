# SPDX-License-Identifier: Apache-2.0
"""Arena bytes against estimated instructions as one record, of which text, JSON and page are made."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Any

from stowage.target.board import Role
from stowage.target.target import Target
from stowage.tiles.front import Point
from stowage.tiles.tiling import told

ParetoRecord = Mapping[str, Any]
"""What `pareto_record` makes."""


def pareto_record(model: str, points: Sequence[Point], target: Target) -> ParetoRecord:
    """All that is known of the plans of a model.

    Args:
        model: its name.
        points: its plans; the first is without stripes, and none has more instructions than the next.
        target: the board, of which the record has the region for arenas.
    """
    region = target.preferred(Role.ARENA)
    return {
        "model": model,
        "board": target.board,
        "region": region.name,
        "capacity_bytes": region.capacity_bytes,
        "points": [_point(point, points[0], region.capacity_bytes) for point in points],
    }


def _point(point: Point, plain: Point, capacity_bytes: int) -> Mapping[str, Any]:
    return {
        "arena_bytes": point.arena_bytes,
        "estimated_instructions": point.instructions,
        "more_instructions": (point.instructions - plain.instructions) / max(1, plain.instructions),
        "steps": point.steps,
        "fits": point.arena_bytes <= capacity_bytes,
        "in_stripes": told(point.tiling),
        "stripes": [asdict(segment) for segment in point.tiling],
    }
