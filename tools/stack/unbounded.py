# SPDX-License-Identifier: Apache-2.0
"""The refusal to bound a stack."""

from __future__ import annotations


class UnboundedStack(Exception):
    """Code whose stack has no bound that can be seen: the message names the function, the place and the reason."""
