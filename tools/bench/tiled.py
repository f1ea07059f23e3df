# SPDX-License-Identifier: Apache-2.0
"""What models take in stripes, against what they have to come down to: a table, and who is above its bar.

Instructions are estimates (`tiles/cost.py`); `striped_page.py` has the table of those that are measured.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType

from stowage.errors import StowageError
from stowage.model_request import ModelRequest
from stowage.pipeline import schedule_model
from stowage.target.target import Target
from stowage.tiles.front import Point, front
from tools.bench.arena_table import table

_BARS_BYTES: Mapping[str, int] = MappingProxyType(
    {
        "mlperf_ic_int8": 20_480,
        "mlperf_vww_int8": 31_744,
        "mlperf_kws_int8": 6_144,
        "tflm_person_detect_int8": 32_768,
    }
)
"""By the model's folder, the most that its arena may take with inputs and outputs."""
_HALVED = ("mbv2_w035_128_int8", "mcunet")
"""Beginnings of the folders of models that may take half of what they take as they are."""
_COLUMNS = ("Model", "As it is", "Bar", "Within the bar", "Steps", "More instructions (estimated)", "Least")


@dataclass(frozen=True, slots=True)
class TiledModel:
    """What a model takes.

    Attributes:
        name: the model's folder and file.
        bar_bytes: what it may take; None where there is no bar.
        front: its plans, the one without stripes among them or what made it dispensable.
    """

    name: str
    bar_bytes: int | None
    front: tuple[Point, ...]

    @property
    def within(self) -> Point | None:
        """The plan with the least work within the bar."""
        if self.bar_bytes is None:
            return None
        fitting = [point for point in self.front if point.arena_bytes <= self.bar_bytes]
        return min(fitting, key=lambda point: point.instructions, default=None)


def tiled_models(models: Sequence[Path], target: Target) -> Iterator[TiledModel]:
    """The models that can be compiled."""
    for model in models:
        try:
            scheduled = schedule_model(ModelRequest(model, "bench"), target, lambda stage, level: None)
        except StowageError:
            continue
        points = front(scheduled.graph, scheduled.ordered, target.features)
        bar_bytes = bar_of(model.parent.name, points[0].arena_bytes)
        yield TiledModel(f"{model.parent.name}/{model.name}", bar_bytes, points)


def bar_of(folder: str, plain_bytes: int) -> int | None:
    """The bar of a model by its folder and what it takes as it is; None where it has none."""
    return plain_bytes // 2 if folder.startswith(_HALVED) else _BARS_BYTES.get(folder)


def tiled_table(models: Sequence[TiledModel]) -> Iterator[str]:
    """A row a model."""
    return table(map(_row, models), _COLUMNS)


def tiled_complaints(models: Sequence[TiledModel]) -> Iterator[str]:
    """A sentence for each model that has no plan within its bar."""
    for model in models:
        if model.bar_bytes is not None and model.within is None:
            least = min(point.arena_bytes for point in model.front)
            yield f"{model.name} takes {least:,} B at least, its bar is {model.bar_bytes:,} B"


def _row(model: TiledModel) -> list[str]:
    plain, least, within = model.front[0], model.front[-1], model.within
    fewest = min(point.instructions for point in model.front)
    shown = ["-", "-", "-"]
    if within is not None:
        more = (within.instructions - fewest) / max(1, fewest)
        shown = [f"{within.arena_bytes:,}", f"{within.steps:,}", f"{more:+.2%}"]
    bar = "-" if model.bar_bytes is None else f"{model.bar_bytes:,}"
    return [model.name, f"{plain.arena_bytes:,}", bar, *shown, f"{least.arena_bytes:,}"]
