# SPDX-License-Identifier: Apache-2.0
"""Value names as MLIR SSA names, reversibly.

MLIR allows ``%`` followed by digits alone, or by letters, digits and ``$._-`` of which the first is no digit. Any
other byte of the UTF-8 name is written as ``$`` and two hexadecimal digits, ``$`` itself among them: ``/conv/out:0``
becomes ``%$2Fconv$2Fout$3A0``.
"""

from __future__ import annotations

import re

_PLAIN = re.compile(rb"[A-Za-z0-9_.-]")
_ESCAPED = re.compile(r"\$([0-9A-F]{2})")
_EMPTY = "$"


def ssa_name(name: str) -> str:
    """The SSA name, with its ``%``, of a value."""
    if re.fullmatch(r"[0-9]+", name):
        return f"%{name}"
    encoded = [chr(byte) if _PLAIN.match(bytes([byte])) else f"${byte:02X}" for byte in name.encode()]
    if encoded and encoded[0].isdigit():
        encoded[0] = f"${ord(encoded[0]):02X}"
    return "%" + ("".join(encoded) or _EMPTY)


def value_name(ssa: str) -> str:
    """The value's name of an SSA name; the inverse of `ssa_name`."""
    text = ssa.removeprefix("%")
    if text == _EMPTY:
        return ""
    unescaped = _ESCAPED.sub(lambda match: chr(int(match.group(1), 16)), text)
    return unescaped.encode("latin-1").decode()
