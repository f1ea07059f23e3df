# SPDX-License-Identifier: Apache-2.0
"""The fields of `struct stw_output_f32`: the interval of a float kernel's output."""

from __future__ import annotations

import math

from stowage.target.kernels.kernel import ParameterValue


def float_output(clamp: tuple[float, float] | None) -> tuple[tuple[str, ParameterValue], ...]:
    """The fused activation, or no bounds."""
    lowest, highest = clamp or (-math.inf, math.inf)
    return ("output.lowest", float(lowest)), ("output.highest", float(highest))
