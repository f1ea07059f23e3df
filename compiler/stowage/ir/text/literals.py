# SPDX-License-Identifier: Apache-2.0
"""Numbers and strings as MLIR spells them, such that reading gives back the very same value."""

from __future__ import annotations

import math
import re
import struct

_ESCAPES = {'"': '\\"', "\\": "\\\\"}


def float_text(value: float) -> str:
    """The shortest decimal that reads back as `value`, with the point that MLIR demands; bits where there is no
    decimal."""
    if not math.isfinite(value):
        return f"0x{float_bits(value):016X}"
    mantissa, e, exponent = repr(value).partition("e")
    return f"{mantissa}{'' if '.' in mantissa else '.0'}{e}{exponent}"


def float_bits(value: float) -> int:
    """The 64 bits of a float64."""
    (bits,) = struct.unpack("<Q", struct.pack("<d", value))
    return int(bits)


def float_from_bits(bits: int) -> float:
    """The float64 with these 64 bits."""
    (value,) = struct.unpack("<d", struct.pack("<Q", bits))
    return float(value)


def string_text(value: str) -> str:
    """A quoted string; bytes that are not printable ASCII are hexadecimal escapes of its UTF-8."""
    return '"' + "".join(_ESCAPES.get(char, char) if " " <= char <= "~" else _bytes_text(char) for char in value) + '"'


def _bytes_text(char: str) -> str:
    return "".join(f"\\{byte:02X}" for byte in char.encode())


def string_value(quoted: str) -> str:
    """The string of a quoted literal; the inverse of `string_text`."""
    return re.sub(rb"\\([0-9A-Fa-f]{2}|.)", _unescape, quoted[1:-1].encode(), flags=re.DOTALL).decode()


def _unescape(match: re.Match[bytes]) -> bytes:
    escape = match.group(1)
    if len(escape) == 2:
        return bytes([int(escape, 16)])
    return {b"n": b"\n", b"t": b"\t"}.get(escape, escape)
