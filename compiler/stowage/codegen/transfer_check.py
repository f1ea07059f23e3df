# SPDX-License-Identifier: Apache-2.0
"""What has to hold of transfers whatever lies where.

They start before they end, within the run; each brings all of a constant, which nobody writes, to a buffer that no
other does; and the board has a channel for each that is in flight. Where the core has a data cache, the driver writes
back the lines of source and destination before a copy, and drops those of the destination after it: these hold nothing
else, so that no step's result is dropped with them, or written back over what has arrived.
"""

from __future__ import annotations

from stowage.codegen.program import Program, Transfer
from stowage.codegen.unsound import unsound


def check_transfers(program: Program) -> None:
    """Checks a program's transfers, each for itself and how many there are at a time.

    Raises:
        InvalidPlan: names the buffer at fault.
    """
    buffers = [transfer.buffer for transfer in program.transfers]
    for transfer in program.transfers:
        _check(program, transfer)
        if buffers.count(transfer.buffer) > 1:
            raise _refused(transfer, "two transfers bring it")
    for moment in range(1, len(program.calls) + 1):
        flying = [each for each in program.transfers if each.start <= moment <= each.wait]
        if len(flying) > program.transfer_channels:
            reason = f"with it {len(flying)} are in flight, and the board has {program.transfer_channels} channels"
            raise _refused(flying[-1], reason)


def _check(program: Program, transfer: Transfer) -> None:
    if not 1 <= transfer.start <= transfer.wait <= len(program.calls):
        span = f"{transfer.start} and is waited for at {transfer.wait}"
        raise _refused(transfer, f"it starts at moment {span} of a run of {len(program.calls)} steps")
    found = [program.constants.get(datum.digest) for datum in program.data if datum.symbol == transfer.symbol]
    if len(found) != 1 or found[0] is None:
        raise _refused(transfer, f"there is no constant {transfer.symbol}")
    if found[0].nbytes != transfer.size_bytes:
        raise _refused(transfer, f"it brings {transfer.size_bytes} bytes of {found[0].nbytes}")
    if program.cache_line_bytes:
        _check_lines(program, transfer)


def _check_lines(program: Program, transfer: Transfer) -> None:
    line_bytes = program.cache_line_bytes
    if any(each % line_bytes for each in (transfer.offset_bytes, transfer.size_bytes, program.alignment_bytes)):
        raise _refused(transfer, f"it shares a line of the data cache, {line_bytes} bytes, with something else")


def _refused(transfer: Transfer, reason: str) -> Exception:
    return unsound(f'transfer of "{transfer.buffer}"', reason)
