# SPDX-License-Identifier: Apache-2.0
"""Measuring with the image, the disassembler and the emulator replaced, so that every way to be fooled can be tried."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from pathlib import Path

import pytest

from stowage.target.find_board import BOARDS
from tools.budget import measure as measuring
from tools.budget.measure import Firmware, NotMeasured, Trial, measure
from tools.size.image import Image, Section, Symbol
from tools.stack.image_stack import ImageStack
from tools.stack.unbounded import UnboundedStack
from tools.trial.trial import Trial as Outcome
from tools.trial.trial import TrialFailed

RAM = 0x20000000
SECTIONS = (
    Section(".text", 0, 0, 1000, stored=True, alignment_bytes=4),
    Section(".stw_weights", 1000, 1000, 2000, stored=True, alignment_bytes=4),
    Section(".stw_stack", RAM, RAM, 1024, stored=False, alignment_bytes=1),
    Section(".stw_arena", RAM + 1024, RAM + 1024, 512, stored=False, alignment_bytes=8),
)
SYMBOLS = (
    Symbol("kws_run", 0, 600, ".text"),
    Symbol("kws_weights", 1000, 2000, ".stw_weights"),
    Symbol("kws_arena", RAM + 1024, 512, ".stw_arena"),
)
REPORT = {"model": "kws", "inputs": [{"size_bytes": 10}, {"size_bytes": 6}]}
Replace = Callable[..., Firmware]


@pytest.fixture
def firmware(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Replace:
    report = tmp_path / "kws_memory.json"
    report.write_text(json.dumps(REPORT))

    def replace(
        *,
        sections: tuple[Section, ...] = SECTIONS,
        symbols: tuple[Symbol, ...] = SYMBOLS,
        bound: int = 400,
        high_water: int = 300,
        instructions: int = 5000,
        models: int = 1,
    ) -> Firmware:
        def run(qemu: str, execution: Path, elf: Path, inputs: bytes) -> Outcome:
            assert inputs == bytes(16)
            return Outcome(b"", (), (), 1, instructions, instructions, high_water, 512, False)

        monkeypatch.setattr(measuring, "read_image", lambda _: Image(sections, symbols, {}))
        monkeypatch.setattr(measuring, "stack_of", lambda *_: ImageStack(bound, (("main", 0), ("kws_run", bound))))
        monkeypatch.setattr(measuring, "run_trial", run)
        trials = (Trial(Path("kws.trial.elf"), report),) * models
        board = BOARDS / "nrf52" / "board.textproto"
        return Firmware(Path("fw.elf"), board, (), trials, Path("objdump"), "qemu", Path("exec.json"))

    return replace


def test_everything_is_measured(firmware: Replace) -> None:
    flash, ram, stack, instructions = measure(firmware(), {"flash": 3000, "instructions": 4999})
    assert (flash.used, flash.limit, flash.within) == (3000, 3000, True)
    assert flash.purposes == (("weights of kws", 2000), ("code", 1000))
    assert flash.contributors == (("kws_weights", 2000), ("kws_run", 600))
    assert (ram.used, ram.limit) == (1536, None)
    assert ram.contributors == (("stack", 1024), ("kws_arena", 512))
    assert (stack.used, stack.contributors) == (400, (("kws_run", 400),))
    assert (instructions.used, instructions.within, instructions.contributors) == (5000, False, (("kws_run", 5000),))


def test_a_region_has_its_own_budget(firmware: Replace) -> None:
    """Of the board's one region for variables it is the same as the budget of all RAM."""
    _, ram, within, *_ = measure(firmware(), {"ram in sram": 1536})
    assert (within.name, within.used, within.limit, within.within) == ("ram in sram", 1536, 1536, True)
    assert (within.purposes, within.contributors) == (ram.purposes, ram.contributors)
    assert not measure(firmware(), {"ram in sram": 1535})[2].within


def test_bytes_elsewhere_are_no_part_of_a_region(firmware: Replace) -> None:
    """Of two arenas in two regions each counts in its own."""
    fast = 0x30000000
    sections = (*SECTIONS, Section(".stw_arena_fast", fast, fast, 256, stored=False, alignment_bytes=8))
    symbols = (*SYMBOLS, Symbol("kws_arena_fast", fast, 256, ".stw_arena_fast"))
    main = 0x38000000
    moved = tuple(replaced(each, each.address - RAM + main) if each.address >= RAM else each for each in sections[:4])
    subject = firmware(sections=tuple(code_at(each) for each in (*moved, sections[4])), symbols=symbols)
    board = BOARDS / "mps2_an505" / "board.textproto"
    items = measure(dataclasses.replace(subject, board=board), {"ram in isram": 255, "ram in ssram23": 1536})
    assert [(item.name, item.used, item.within) for item in items[2:4]] == [
        ("ram in isram", 256, False),
        ("ram in ssram23", 1536, True),
    ]
    assert items[2].contributors == (("kws_arena_fast", 256),)


def replaced(section: Section, address: int) -> Section:
    return dataclasses.replace(section, address=address, load_address=address)


def code_at(section: Section) -> Section:
    """AN505 has its code elsewhere."""
    return replaced(section, section.address + 0x10000000) if section.address < 0x10000000 else section


def test_a_region_that_is_none_is_refused(firmware: Replace) -> None:
    with pytest.raises(NotMeasured, match='board nrf52 has no writable region "dtcm", but sram'):
        measure(firmware(), {"ram in dtcm": 1})
    with pytest.raises(NotMeasured, match='no writable region "flash"'):
        measure(firmware(), {"ram in flash": 1})


def test_the_instructions_of_all_models_add_up(firmware: Replace) -> None:
    assert measure(firmware(models=3), {})[3].used == 15000


def test_of_a_model_of_several_sizes_the_dearest_counts(
    firmware: Replace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its weights are all its own, whatever size reads them."""
    subject, trials = firmware(symbols=(*SYMBOLS, Symbol("kws_9_run", 600, 100, ".text"))), list[Trial]()
    for size in ("kws", "kws_9"):
        report = tmp_path / f"{size}.json"
        report.write_text(json.dumps({**REPORT, "model": size, "size_of": "kws"}))
        trials.append(Trial(Path(f"{size}.elf"), report))

    def run(qemu: str, execution: Path, elf: Path, inputs: bytes) -> Outcome:
        instructions = 7000 if elf.name == "kws_9.elf" else 5000
        return Outcome(b"", (), (), 1, instructions, instructions, 300, 512, False)

    monkeypatch.setattr(measuring, "run_trial", run)
    flash, _, _, instructions = measure(dataclasses.replace(subject, trials=tuple(trials)), {})
    assert (instructions.used, instructions.contributors) == (7000, (("kws_9_run", 7000),))
    assert dict(flash.purposes)["weights of kws"] == 2000


def test_a_model_that_is_not_in_the_image_is_refused(firmware: Replace) -> None:
    with pytest.raises(
        NotMeasured, match=r"depends on the model kws, but kws_run is not in its image: call it, or take"
    ):
        measure(firmware(symbols=SYMBOLS[1:]), {})


def test_a_budget_of_instructions_without_a_model_is_refused(firmware: Replace) -> None:
    with pytest.raises(NotMeasured, match="no model whose run could be counted"):
        measure(firmware(models=0), {"instructions": 10})


def test_a_firmware_without_models_has_no_instructions_to_show(firmware: Replace) -> None:
    assert [item.name for item in measure(firmware(models=0), {"flash": 1})] == ["flash", "ram", "stack"]


def test_a_missing_stack_is_refused(firmware: Replace) -> None:
    with pytest.raises(NotMeasured, match=r"no section \.stw_stack"):
        measure(firmware(sections=(*SECTIONS[:2], SECTIONS[3])), {})


def test_a_stack_that_is_set_aside_too_small_is_refused(firmware: Replace) -> None:
    assert measure(firmware(bound=1024), {})[2].used == 1024
    with pytest.raises(NotMeasured, match="may take 1025 B, but the image sets only 1024 B aside"):
        measure(firmware(bound=1025), {})


def test_a_run_that_proves_the_bound_wrong_is_refused(firmware: Replace) -> None:
    with pytest.raises(NotMeasured, match="used 401 B of stack, more than its static bound of 400 B"):
        measure(firmware(high_water=401), {})


def test_a_run_that_counted_nothing_is_refused(firmware: Replace) -> None:
    with pytest.raises(NotMeasured, match="counted 0 instructions"):
        measure(firmware(instructions=0), {})


@pytest.mark.parametrize("failure", [UnboundedStack("f calls itself"), TrialFailed("it stopped at a fault")])
def test_failures_keep_their_sentence(firmware: Replace, monkeypatch: pytest.MonkeyPatch, failure: Exception) -> None:
    def fail(*_: object) -> ImageStack:
        raise failure

    subject = firmware()
    monkeypatch.setattr(measuring, "stack_of", fail)
    with pytest.raises(NotMeasured, match=str(failure)):
        measure(subject, {})
