# SPDX-License-Identifier: Apache-2.0
"""Reads Intel HEX, checksums verified (Intel, Hexadecimal Object File Format Specification, revision A, 1988)."""

from __future__ import annotations

_DATA, _END, _SEGMENT, _SEGMENT_START, _LINEAR, _LINEAR_START = range(6)


def parse_intel_hex(text: str) -> dict[int, int]:
    """Every byte by its address.

    Raises:
        ValueError: a record has a wrong length, checksum or type, a byte comes twice, or the last record is not an end.
    """
    content: dict[int, int] = {}
    base, kind = 0, _DATA
    for line in text.splitlines():
        address, kind, data = _record(line)
        if kind == _DATA:
            for index, byte in enumerate(data, base + address):
                if content.setdefault(index, byte) is not byte:
                    raise ValueError(f"the byte at {index:#x} comes twice")
        elif kind == _SEGMENT:
            base = int.from_bytes(data, "big") << 4
        elif kind == _LINEAR:
            base = int.from_bytes(data, "big") << 16
        elif kind not in (_END, _SEGMENT_START, _LINEAR_START):
            raise ValueError(f"there is no record type {kind}")
    if kind != _END:
        raise ValueError("the last record is not an end")
    return content


def _record(line: str) -> tuple[int, int, bytes]:
    """Address, type and data of a record."""
    if not line.startswith(":"):
        raise ValueError(f"{line!r} is no record")
    record = bytes.fromhex(line[1:])
    if len(record) != record[0] + 5 or sum(record) % 256:
        raise ValueError(f"{line!r} has a wrong length or checksum")
    return int.from_bytes(record[1:3], "big"), record[3], record[4:-1]
