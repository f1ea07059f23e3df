# SPDX-License-Identifier: Apache-2.0
"""Names of steps and tensors in reports: exporters chain all that they fused into names of hundreds of characters."""

from __future__ import annotations

_LONGEST_NAME = 64


def short_name(name: str) -> str:
    """A name cut in its middle, where it is very long."""
    if len(name) <= _LONGEST_NAME:
        return name
    return f"{name[: _LONGEST_NAME // 2]}…{name[-_LONGEST_NAME // 2 + 1 :]}"
