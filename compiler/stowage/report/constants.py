# SPDX-License-Identifier: Apache-2.0
"""What a model's constants are for, in flash."""

from __future__ import annotations

from stowage.codegen.program import Datum, Program

_KINDS = {
    **dict.fromkeys(("weights", "recurrence"), "weights"),
    **dict.fromkeys(("bias", "recurrent_bias"), "biases"),
    **dict.fromkeys(("multipliers", "shifts"), "requantisation"),
    **dict.fromkeys(("table", "exponentials", "fractions", "reciprocals", "phases", "places"), "tables"),
}
OPERANDS = "constant operands"


def kind_of(datum: Datum) -> str:
    """What a constant is for: weights, biases, requantisation, tables, or an operand of the graph's own."""
    return _KINDS.get(datum.role, OPERANDS)


def bytes_by_kind(program: Program) -> dict[str, int]:
    """Bytes of constants by what they are for, the largest kind first."""
    sizes: dict[str, int] = {}
    for datum in program.data:
        sizes[kind_of(datum)] = sizes.get(kind_of(datum), 0) + int(program.constants[datum.digest].nbytes)
    return dict(sorted(sizes.items(), key=lambda each: (-each[1], each[0])))
