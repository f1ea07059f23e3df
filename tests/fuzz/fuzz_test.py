# SPDX-License-Identifier: Apache-2.0
"""Ten thousand broken files: each is refused in one sentence, or it was harmless and compiles."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.fuzz.corpus import Seeds, all_seeds, broken_files
from tests.fuzz.trial import Input, faults

FILES = 10_000
BATCH = 500


@pytest.fixture(scope="module")
def seeds() -> Seeds:
    return all_seeds()


@pytest.mark.parametrize("first", range(0, FILES, BATCH))
def test_broken_files(first: int, seeds: Seeds) -> None:
    assert faults(list(broken_files(seeds, first, BATCH))) == []


def test_a_fault_is_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    """A traceback, two sentences and a write to elsewhere, but not a file that is refused as it should be."""

    def main(arguments: list[str]) -> int:
        match Path(arguments[1]).read_text():
            case "traceback":
                raise ValueError
            case "sentences":
                print("stowage: one.\nstowage: two.", file=sys.stderr)
            case "elsewhere":
                Path("/dev/null").write_text("")
            case "refused":
                print("stowage: one.", file=sys.stderr)
        return 1

    monkeypatch.setattr("stowage.cli.main", main)
    kinds = ["traceback", "refused", "elsewhere", "sentences", "refused"]
    found = faults([Input(f"{kind}.onnx", kind.encode()) for kind in kinds])
    assert [fault.name for fault in found] == ["traceback.onnx", "elsewhere.onnx", "sentences.onnx"]
