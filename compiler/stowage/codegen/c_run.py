# SPDX-License-Identifier: Apache-2.0
"""`<model>_run`: the steps in order, and between them the starts and ends of transfers."""

from __future__ import annotations

from collections.abc import Iterator

from stowage.codegen.c_fed_input import checked_source
from stowage.codegen.c_further_arenas import (
    ARENA,
    arenas_of,
    checked_further,
    local_of,
    parameter_of,
    run_parameters,
)
from stowage.codegen.program import Call, Program, Transfer

TRANSFER_HEADER = "stowage/transfer.h"
_IN_A_ROW = 5


def transfer_headers(program: Program) -> list[str]:
    """What a source that has transfers includes more."""
    return [TRANSFER_HEADER] if program.transfers else []


def checked_arena(program: Program) -> str:
    """The beginning of every function that takes an arena."""
    return (
        "    unsigned char *bytes = arena;\n\n"
        f"    if (bytes == NULL || ((uintptr_t)bytes % {program.name.upper()}_ARENA_ALIGNMENT_BYTES) != 0u) {{\n"
        "        return STW_BAD_ARENA;\n    }\n"
    )


def run_definition(program: Program) -> str:
    """The function that runs the model once."""
    steps = "".join(
        f"{_transfers(program, moment)}"
        f"    STW_STEP_BEGIN(&{program.name}_model, {moment - 1}u, bytes);\n{_guarded(program, call)}"
        f"    STW_STEP_END(&{program.name}_model, {moment - 1}u, bytes);\n"
        for moment, call in enumerate(program.calls, 1)
    )
    checks = checked_arena(program) + checked_further(program) + checked_source(program)
    body = f"{_handles(program)}{checks}{steps}    return STW_OK;\n"
    return f"enum stw_status {program.name}_run({run_parameters(program)})\n{{\n{body}}}\n"


def _handles(program: Program) -> str:
    """The copies in flight: none at first."""
    if not program.transfers:
        return ""
    none = ["STW_NO_TRANSFER"] * len(program.transfers)
    rows = (", ".join(none[row : row + _IN_A_ROW]) for row in range(0, len(none), _IN_A_ROW))
    text = "".join(f"        {row},\n" for row in rows)
    return f"    int32_t transfers[{len(none)}] = {{\n{text}    }};\n"


def _transfers(program: Program, moment: int) -> str:
    numbered = list(enumerate(program.transfers))
    starts = (_start(program, number, each) for number, each in numbered if each.start == moment)
    return "".join([*starts, *_waits(program, [number for number, each in numbered if each.wait == moment])])


def _start(program: Program, number: int, transfer: Transfer) -> str:
    macro = next(slot.macro for slot in program.slots if slot.buffer == transfer.buffer)
    arguments = f"bytes + {macro},\n        {transfer.symbol},\n        {transfer.size_bytes}u"
    return f"    transfers[{number}] = stw_hal_dma_start(\n        {arguments});\n"


def _waits(program: Program, numbers: list[int]) -> Iterator[str]:
    """What has not arrived ends the run."""
    for number in numbers:
        yield f"    if (!stw_transfer_arrived(&transfers[{number}])) {{\n{_failed(program)}    }}\n"


def _guarded(program: Program, call: Call) -> str:
    """A step's line; one that may fail ends the run with its status."""
    locals_ = {ARENA: "bytes"} | {parameter_of(arena): local_of(arena) for arena in program.further_arenas}
    arenas = ", ".join(locals_[name] for name in arenas_of(program, call))
    if not call.may_fail:
        return f"    {call.symbol}({arenas});\n"
    if call.asks_for_rows:
        return f"    if ({call.symbol}({arenas}, rows) != STW_OK) {{\n        return STW_INPUT_ERROR;\n    }}\n"
    return f"    if ({call.symbol}({arenas}) != STW_OK) {{\n{_failed(program)}    }}\n"


def _failed(program: Program) -> str:
    """The end of a run whose outputs are any, once nothing is in flight any more."""
    if not program.transfers:
        return "        return STW_DEVICE_ERROR;\n"
    return f"        return stw_transfers_failed(transfers, {len(program.transfers)}u);\n"
