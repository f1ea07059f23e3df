# SPDX-License-Identifier: Apache-2.0
"""How many input vectors, or pixels, the matrix kernels multiply together (core/dot_s8.h, core/dot_f32.h)."""

from __future__ import annotations

from stowage.target.kernels.kernel import Site

FLOAT_ROWS_AT_ONCE = 2
"""Of the float32 kernels, on every core."""


def rows_at_once(site: Site) -> int:
    """The parameter `at_once` of the int8 kernels: two fill sixteen registers, of which Thumb-1 reaches but eight."""
    return 1 if "thumb1" in site.features else 2
