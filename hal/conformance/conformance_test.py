# SPDX-License-Identifier: Apache-2.0
"""One suite for every board: an image that does right and says so, and one that does wrong and is caught."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import SymbolTableSection

from tools.qemu.device_run import run_device_image
from tools.qemu.run import Outcome, TimeLimit, run_image

CORE = os.environ["CORE"]
EXECUTION = Path(os.environ["EXECUTION"])
QEMU = os.environ["QEMU"]
SUITE = Path(os.environ["SUITE"])
DEVICE_SUITE = Path(os.environ.get("DEVICE_SUITE", ""))
MISDEEDS = Path(os.environ.get("MISDEEDS", "")).resolve()
TIME_LIMIT_S = 60.0

on_cortex_m = pytest.mark.skipif(CORE == "host", reason="the host has no faults and no image of its own")

NUMBERS = (
    "numbers 0 9 10 1234567890123456789 18446744073709551615 0 -1 2147483647 -2147483648 0x000000000x89abcdef\n"
    "by length\n"
)


def assert_suite_passed(outcome: Outcome) -> None:
    lines = outcome.output.replace(NUMBERS, "").splitlines()
    assert NUMBERS in outcome.output
    assert [line for line in lines[:-1] if not line.startswith("ok ")] == []
    assert lines[-1:] == ["end of suite"]
    assert outcome.status == 0


def test_suite_passes() -> None:
    assert_suite_passed(run_image(SUITE, EXECUTION, QEMU, time_limit_s=TIME_LIMIT_S))


def test_suite_checks_what_the_core_has() -> None:
    output = run_image(SUITE, EXECUTION, QEMU, time_limit_s=TIME_LIMIT_S).output
    assert ("ok counter is exact when SysTick runs down\n" in output) == (CORE != "host")
    assert ("ok high-water mark is exact\n" in output) == (CORE != "host")
    assert ("ok each writable region reaches from end to end\n" in output) == (CORE != "host")
    assert ("ok DMA from where no controller reaches is refused\n" in output) == bool(os.environ["HAS_DMA"])
    assert ("ok vectors add with saturation\n" in output) == (CORE == "cortex_m55")


@pytest.mark.skipif(not os.environ["EMULATES_CONSOLE"], reason="the emulator has another UART than the board")
@on_cortex_m
def test_the_image_for_the_device_passes_too() -> None:
    outcome = run_device_image(DEVICE_SUITE, EXECUTION, QEMU, time_limit_s=TIME_LIMIT_S)
    assert_suite_passed(outcome)
    assert "ok counter goes on\n" in outcome.output


def _commit(misdeed: str, folder: Path, time_limit_s: float = TIME_LIMIT_S) -> Outcome:
    (folder / "misdeed.txt").write_text(misdeed)
    return run_image(MISDEEDS, EXECUTION, QEMU, time_limit_s=time_limit_s, folder=folder)


@on_cortex_m
def test_an_image_that_never_ends_is_stopped(tmp_path: Path) -> None:
    with pytest.raises(
        TimeLimit, match=r"^\w+ image \w+_misdeeds.elf had not ended after 1 s; it had written nothing$"
    ):
        _commit("never_end", tmp_path, time_limit_s=1)


@on_cortex_m
def test_main_decides_the_status(tmp_path: Path) -> None:
    assert _commit("none of those known", tmp_path) == Outcome(1, "", _commit("", tmp_path).diagnosis)


# Each misdeed, the symbol at the instruction that does it, and what the cores with a fault status register say.
MISDEED_REPORTS = {
    "store_to_constant": ("at_store", r"MemManage: data access not allowed\n  at 0x{constant:08x}\n"),
    "store_to_code": ("at_store", r"MemManage: data access not allowed\n  at 0x{stw_hal_init:08x}\n"),
    "load_from_null": ("at_load", r"MemManage: data access not allowed\n  at 0x00000000\n"),
    "load_from_outside": ("at_load", r"MemManage: data access not allowed\n  at 0x9ffffff0\n"),
    "load_unaligned_pair": ("at_load_pair", r"UsageFault: unaligned access\n"),
    "execute_data": ("data_code", r"MemManage: execution not allowed\n"),
    "undefined_instruction": ("at_undefined", r"UsageFault: undefined instruction\n"),
    "divide_by_zero": ("", r"UsageFault: division by zero\n"),
    "overflow_stack": ("", r"(MemManage: data access not allowed|UsageFault): stack overflow.*\n"),
    "unexpected_interrupt": ("", r"unexpected interrupt 2\n"),
}

# A Cortex-M0 has no memory protection unit and divides in software.
_M0_LACKS = {"store_to_constant", "store_to_code", "load_from_null", "execute_data", "divide_by_zero"}


def _symbol_table(content: ELFFile) -> SymbolTableSection:
    table = content.get_section_by_name(".symtab")
    assert isinstance(table, SymbolTableSection)
    return table


def _symbols(elf: Path) -> dict[str, int]:
    with elf.open("rb") as file:
        symbols = _symbol_table(ELFFile(file)).iter_symbols()
        return {symbol.name: symbol["st_value"] for symbol in symbols if symbol.name}


@on_cortex_m
@pytest.mark.parametrize("misdeed", MISDEED_REPORTS)
def test_a_misdeed_is_caught_and_reported(misdeed: str, tmp_path: Path) -> None:
    if CORE == "cortex_m0" and misdeed in _M0_LACKS:
        pytest.skip("nothing catches it on this core")
    if misdeed == "load_from_null" and os.environ["RESERVES_NULL"]:
        pytest.skip("what is reserved at address 0 may be read")
    outcome = _commit(misdeed, tmp_path)
    symbols = _symbols(MISDEEDS)
    place, report = MISDEED_REPORTS[misdeed]
    if CORE == "cortex_m0" and misdeed != "unexpected_interrupt":
        report = r"HardFault\n"
    assert re.match(r"\nstowage: fault: " + report.format(**symbols), outcome.output), outcome.output
    if place:
        assert f"\n  pc 0x{symbols[place]:08x} lr 0x" in outcome.output
        assert re.search(r"\n  r0 0x\w{8} r1 0x00000007 r2 0x\w{8} r3 0x\w{8} r12 0x\w{8}\n", outcome.output)
    assert ("\n  cfsr 0x" in outcome.output) == (CORE != "cortex_m0")
    assert outcome.status == 125


def _layout(elf: Path) -> Iterator[tuple[str, int, int]]:
    """Name, address and size of each section and symbol but the port's."""
    with elf.open("rb") as file:
        content = ELFFile(file)
        sections = list(content.iter_sections())
        for section in sections:
            if section["sh_flags"] & 2 and not section.name.startswith(".stw_port"):
                yield section.name, section["sh_addr"], section["sh_size"]
        for symbol in _symbol_table(content).iter_symbols():
            index = symbol["st_shndx"]
            home = sections[index].name if isinstance(index, int) else str(index)
            is_port = home.startswith(".stw_port") or symbol.name.startswith(("__stw_port", "port_"))
            if symbol.name and not is_port and symbol["st_info"]["type"] != "STT_FILE":
                yield symbol.name, symbol["st_value"], symbol["st_size"]


@on_cortex_m
def test_the_emulated_image_has_the_layout_of_the_flashed_one() -> None:
    emulated, flashed = set(_layout(SUITE)), set(_layout(DEVICE_SUITE))
    assert emulated ^ flashed == set()
    assert {"main", "stw_reset", "check_counter", "__stw_stack_top", "__stw_data_load"} <= {each[0] for each in flashed}


@on_cortex_m
@pytest.mark.parametrize("elf", [SUITE, DEVICE_SUITE], ids=["emulated", "device"])
def test_no_heap(elf: Path) -> None:
    heap = re.compile(r"_*(malloc|calloc|realloc|free|sbrk|brk|heap\w*|end)(_r)?")
    assert [name for name in _symbols(elf) if heap.fullmatch(name)] == []
