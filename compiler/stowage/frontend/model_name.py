# SPDX-License-Identifier: Apache-2.0
"""The name of a model in the generated C."""

from __future__ import annotations

import re
from pathlib import Path

from stowage.errors import InvalidModel

_IDENTIFIER = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_C_KEYWORDS = frozenset(
    (
        *("auto", "break", "case", "char", "const", "continue", "default", "do", "double", "else", "enum", "extern"),
        *("float", "for", "goto", "if", "inline", "int", "long", "register", "restrict", "return", "short", "signed"),
        *("sizeof", "static", "struct", "switch", "typedef", "union", "unsigned", "void", "volatile", "while", "main"),
    )
)


def model_name(given: str, path: Path) -> str:
    """The given name, or one made from the file's: letters, digits and underscores, the first a letter.

    Raises:
        InvalidModel: the given name is no C identifier.
    """
    if given:
        if not is_c_name(given):
            raise InvalidModel(
                reason=f"the model's name {given!r} is no C identifier",
                remedy="give a name of letters, digits and underscores that begins with a letter",
            )
        return given
    made = re.sub(r"[^A-Za-z0-9_]+", "_", path.stem).strip("_")
    if not _IDENTIFIER.fullmatch(made):
        made = f"model_{made}".rstrip("_")
    return f"{made}_model" if made in _C_KEYWORDS else made


def is_c_name(name: str) -> bool:
    """Whether a name may begin those of generated C: an identifier that is no word of C."""
    return _IDENTIFIER.fullmatch(name) is not None and name not in _C_KEYWORDS
