# SPDX-License-Identifier: Apache-2.0
"""What memory is taken for, as those who write a firmware say it: code, tables, the weights of each model, arenas."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from tools.size.usage import Part, Usage

Shares = tuple[tuple[str, int], ...]
"""(what for, bytes), largest first; together all that is taken."""

_WEIGHTS_SECTION = ".stw_weights"


def flash_shares(used: Usage, models: Sequence[str]) -> Shares:
    """Flash by kind, the weights by model; a model's symbols begin with its name."""
    kinds = dict(by_kind(used.flash))
    rest = kinds.pop("weights", 0)
    for model in sorted(models):
        size = sum(_weights_bytes(used, model, models))
        kinds[f"weights of {model}"] = size
        rest -= size
    return _ordered([*kinds.items(), ("other weights", rest)])


def by_kind(parts: Sequence[Part]) -> Shares:
    """Parts added up by kind."""
    kinds = sorted({part.kind for part in parts})
    return _ordered([(kind, sum(part.size_bytes for part in parts if part.kind == kind)) for kind in kinds])


def _weights_bytes(used: Usage, model: str, models: Sequence[str]) -> Iterator[int]:
    for symbol in used.flash_symbols:
        owners = [name for name in models if symbol.name.startswith(f"{name}_")]
        if symbol.section.startswith(_WEIGHTS_SECTION) and max(owners, key=len, default="") == model:
            yield symbol.size_bytes


def _ordered(shares: Sequence[tuple[str, int]]) -> Shares:
    return tuple(sorted((share for share in shares if share[1]), key=lambda share: (-share[1], share[0])))
