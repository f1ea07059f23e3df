# SPDX-License-Identifier: Apache-2.0
"""What a user asks of quantisation."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from stowage.ir.dtype import DType
from stowage.quantise.ranges import RANGES

BEST = "best"
RANGE_CHOICES = (BEST, *RANGES)


@dataclass(frozen=True, slots=True)
class Labelled:
    """Labelled data and the share of it that has to be classified as labelled.

    Attributes:
        inputs: file of samples, as for calibration.
        labels: file of labels: a .npy of whole numbers, one a sample.
        least: least accuracy of the quantised model, 0 to 1.
    """

    inputs: Path
    labels: Path
    least: float


@dataclass(frozen=True, slots=True)
class Quantisation:
    """A request to turn a float model into int8.

    Attributes:
        calibration: file of sample inputs.
        ranges: a name of `RANGES`, or "best": the one with the least error of the outputs.
        keep_float: names of nodes that stay float.
        largest_error: relative error of the outputs up to which nodes are kept float, the worst first; None keeps none.
        interface: F32 keeps float inputs and outputs; I8 makes those i8 that are quantised.
        labelled: data to measure accuracy on, and its budget.
    """

    calibration: Path
    ranges: str = BEST
    keep_float: tuple[str, ...] = ()
    largest_error: float | None = None
    interface: DType = DType.I8
    labelled: Labelled | None = None
