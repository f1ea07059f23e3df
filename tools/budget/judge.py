# SPDX-License-Identifier: Apache-2.0
"""The test behind `stowage_budget_test`: measures a firmware, prints the table, fails where a budget is broken."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from tools.budget.command_line import parse
from tools.budget.gate import passes, table
from tools.budget.measure import NotMeasured, measure
from tools.budget.quantity import QuantityError


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the test; returns its exit status."""
    request = parse(__doc__, arguments)
    try:
        items = measure(request.firmware, request.limits)
    except (NotMeasured, QuantityError) as failure:
        print(f"stowage: {request.label}: {failure}", file=sys.stderr)
        return 1
    print(table(request.label, request.test, items), end="")
    return 0 if passes(items) else 1


if __name__ == "__main__":
    sys.exit(main())
