# SPDX-License-Identifier: Apache-2.0
"""The same firmware with the same model on every board, in one build: what came out for each.

`model_fw` of every board is built from one `stowage_model`, whose BUILD file says nothing of boards.
"""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from stowage.target.board import Board, Role
from stowage.target.board_reader import load_board
from tests.rules.elf import Elf, Symbol, read_elf
from tests.rules.intel_hex import parse_intel_hex

# The architecture of each board's core: Tag_CPU_arch and Tag_CPU_name of the Arm ABI (addenda, 2.3.7.1).
ARCHITECTURES = {
    "microbit": 12,  # v6S-M
    "mps2_an386": 13,  # v7E-M
    "mps2_an500": 13,
    "mps2_an505": 17,  # v8-M.mainline
    "mps3_an547": 21,  # v8.1-M.mainline
    "nrf52": 13,
}
MODEL_PARAMETERS = 4546  # of digits, a byte each and more for the biases
SYSTICK = 15  # its entry in the vector table
HEAP = re.compile(
    r"_*(malloc|calloc|realloc|reallocarray|free|cfree|memalign|aligned_alloc|posix_memalign|valloc|sbrk|brk|heap\w*)(_r)?"
    r"|__malloc_\w+|__heap_\w+|_Zn[wa]\w+|_Zd[la]\w+|end|_end|__end__"
)


def image_paths(board: str) -> dict[str, Path]:
    folder = Path("boards", board)
    return {
        "device": folder / "model_fw.elf",
        "emulated": folder / "model_fw.emulated.elf",
        "trial": folder / "model_fw.digits.trial.elf",
    }


@pytest.fixture(params=sorted(ARCHITECTURES))
def name(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def board(name: str) -> Board:
    return load_board(Path("boards", name, "board.textproto"))


@pytest.fixture
def elf(name: str) -> Elf:
    return read_elf(image_paths(name)["device"])


def first_region(board: Board, role: Role) -> range:
    free = board.roles[role][0].free
    return range(free.base, free.end)


def lies_in(symbol: Symbol, region: range) -> bool:
    return symbol.address in region and symbol.address + symbol.size_bytes - 1 in region


def test_code_is_for_the_board_s_core(name: str, elf: Elf) -> None:
    assert elf.machine == "EM_ARM"
    assert elf.attributes["TAG_CPU_ARCH"] == ARCHITECTURES[name]
    assert ("TAG_ABI_VFP_ARGS" in elf.attributes) == (name != "microbit")


def test_cores_of_one_architecture_are_not_taken_for_each_other() -> None:
    """A Cortex-M7 with the same architecture as a Cortex-M4F has another floating-point unit."""
    units = {board: read_elf(image_paths(board)["device"]).attributes.get("TAG_FP_ARCH") for board in ARCHITECTURES}
    assert units["microbit"] is None
    assert units["nrf52"] == units["mps2_an386"] != units["mps2_an500"]


def test_vectors_are_at_the_start_of_the_code(board: Board, elf: Elf) -> None:
    vectors = elf.symbol("stw_vectors")
    assert vectors.address == board.roles[Role.CODE][0].free.base
    assert vectors.size_bytes == board.vector_table.size_bytes
    table = elf.stored[vectors.address]
    assert int.from_bytes(table[0:4], "little") == elf.symbol("__stw_stack_top").address
    assert int.from_bytes(table[4:8], "little") == elf.symbol("stw_reset").address | 1


def test_arena_weights_and_stack_are_where_the_board_says(board: Board, elf: Elf) -> None:
    assert lies_in(elf.symbol("digits_arena"), first_region(board, Role.ARENA))
    weights = [symbol for symbol in elf.symbols if symbol.section.startswith(".stw_weights")]
    assert sum(symbol.size_bytes for symbol in weights) > MODEL_PARAMETERS
    assert all(lies_in(symbol, first_region(board, Role.WEIGHTS)) for symbol in weights if symbol.size_bytes)
    stack = first_region(board, Role.STACK)
    bottom, top = elf.symbol("__stw_stack_limit").address, elf.symbol("__stw_stack_top").address
    assert bottom in stack
    assert top - bottom == board.stack_size_bytes
    assert lies_in(elf.symbol("digits_run"), first_region(board, Role.CODE))


def test_every_section_lies_in_free_memory_of_the_board(board: Board, elf: Elf) -> None:
    for section, (address, size) in elf.sections.items():
        assert any(address in range(r.free.base, r.free.end - size + 1) for r in board.regions), section


def test_the_model_is_another_code_for_another_core() -> None:
    sizes = {board: read_elf(image_paths(board)["device"]).symbol("digits_run").size_bytes for board in ARCHITECTURES}
    assert sizes["microbit"] != sizes["nrf52"] != sizes["mps3_an547"]
    assert sizes["nrf52"] == sizes["mps2_an386"]


@pytest.mark.parametrize("kind", ["device", "emulated", "trial"])
def test_no_heap(name: str, kind: str) -> None:
    symbols = [symbol.name for symbol in read_elf(image_paths(name)[kind]).symbols]
    assert {"digits_run", "main", "stw_reset"} <= set(symbols)
    assert [symbol for symbol in symbols if HEAP.fullmatch(symbol)] == []


@pytest.mark.parametrize(
    "symbol",
    ["malloc", "_malloc_r", "free", "calloc", "realloc", "_sbrk", "sbrk", "_sbrk_r", "__malloc_av_", "_Znwj", "_ZdlPv"],
)
def test_a_heap_would_be_found(symbol: str) -> None:
    assert HEAP.fullmatch(symbol)


def is_port(symbol: Symbol) -> bool:
    return symbol.section.startswith(".stw_port") or symbol.name.startswith("__stw_port")


def layout(elf: Elf) -> list[tuple[str, int, int, str]]:
    """Every symbol but the port's, duplicates of static functions included."""
    return sorted((s.name, s.address, s.size_bytes, s.section) for s in elf.symbols if not is_port(s))


def test_the_emulated_image_is_laid_out_as_the_flashed_one(name: str, elf: Elf) -> None:
    emulated = read_elf(image_paths(name)["emulated"])
    assert layout(emulated) == layout(elf)
    assert {"main", "digits_run", "digits_arena", "stw_reset", "__stw_stack_top"} <= {entry[0] for entry in layout(elf)}
    port = {symbol.name for symbol in emulated.symbols if is_port(symbol)}
    assert port != {symbol.name for symbol in elf.symbols if is_port(symbol)}


def test_the_emulated_image_has_the_constants_of_the_flashed_one(name: str, elf: Elf) -> None:
    """Of the vectors too, but for SysTick's, which the emulator's counter needs and the device's does not."""
    emulated = read_elf(image_paths(name)["emulated"])
    own_sections = {n: place for n, place in elf.sections.items() if not n.startswith(".stw_port")}
    assert own_sections == {n: place for n, place in emulated.sections.items() if not n.startswith(".stw_port")}
    for section in (".rodata", ".stw_weights"):
        address, _ = elf.sections[section]
        assert elf.stored[address] == emulated.stored[address], section
    assert other_vectors(elf, emulated) <= {SYSTICK}


def other_vectors(one: Elf, other: Elf) -> set[int]:
    """The entries of the vector table in which two images differ."""
    tables = [elf.stored[elf.symbol("stw_vectors").address] for elf in (one, other)]
    return {index // 4 for index, (a, b) in enumerate(zip(*tables, strict=True)) if a != b}


def stored_bytes(elf: Elf) -> dict[int, int]:
    return {address + index: byte for address, data in elf.stored.items() for index, byte in enumerate(data)}


def first_difference(one: dict[int, int], other: dict[int, int]) -> int | None:
    """The lowest address at which there are different bytes, or a byte in one alone."""
    return min(
        (address for address in one.keys() | other.keys() if one.get(address) != other.get(address)), default=None
    )


def test_hex_has_the_bytes_of_the_elf(name: str, elf: Elf) -> None:
    content = parse_intel_hex(Path("boards", name, "model_fw.hex").read_text())
    assert len(content) > 8192
    assert first_difference(content, stored_bytes(elf)) is None


def test_bin_has_the_bytes_of_the_elf(name: str, elf: Elf) -> None:
    """From the first stored byte to the last, gaps filled with zeros."""
    content = Path("boards", name, "model_fw.bin").read_bytes()
    stored = stored_bytes(elf)
    assert len(content) == max(stored) + 1 - min(stored)
    filled = {min(stored) + index: byte for index, byte in enumerate(content) if byte}
    assert first_difference(filled, {address: byte for address, byte in stored.items() if byte}) is None


def test_map_and_reports_are_those_of_the_image(name: str, elf: Elf) -> None:
    folder = Path("boards", name)
    assert re.search(r"\bdigits_run\b", (folder / "model_fw.map").read_text())
    record = json.loads((folder / "model_fw.report.json").read_text())
    text = (folder / "model_fw.report.txt").read_text()
    assert record["board"] == name
    assert record["firmware"].endswith(f"//boards/{name}:model_fw")
    (model,) = record["models"]
    assert model["model"] == "digits"
    assert model["arena_bytes"] == elf.symbol("digits_arena").size_bytes
    assert text.startswith(f"Memory of {record['firmware']} on board {name}\n")
    assert f"{record['flash_bytes']:,} B" in text
    assert f"{record['ram_bytes']:,} B" in text
