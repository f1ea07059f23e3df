# SPDX-License-Identifier: Apache-2.0
"""The generated C of a pool: compiled with every warning an error, with one arena, and watched where it is poisoned."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from stowage.codegen.assemble import assemble
from stowage.codegen.c_compiler import compile_c
from stowage.codegen.c_pool import pool_files
from stowage.codegen.golden_model import golden_pool
from stowage.codegen.shared_data import share_data

POOL = golden_pool()
FILES = pool_files(POOL, *share_data([assemble(plan) for plan in POOL.plans], POOL.name))


@pytest.mark.parametrize("options", [(), ("-DSTW_POISON",), ("-O3",)])
def test_it_compiles_without_a_warning(options: tuple[str, ...], tmp_path: Path) -> None:
    compile_c(tmp_path, FILES, "-c", *options)


def test_there_is_one_arena() -> None:
    definitions = [name for name, text in FILES.items() if "STW_ARENA(" in text]
    assert definitions == ["stereo.c"]
    sizes = {size for text in FILES.values() for size in re.findall(r"_ARENA_BYTES (\d+)u", text)}
    assert sizes == {"56"}


def test_what_is_others_and_stays_is_watched_by_a_poison_build() -> None:
    """The other filter's state and the caller's samples, from before the first step until after the last."""
    rows = re.findall(r"^    \{(\d+)u, (\d+)u, 0u, 3u\},$", FILES["left.c"], re.MULTILINE)
    assert rows == [("8", "8"), ("16", "16")]
