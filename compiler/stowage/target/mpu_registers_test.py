# SPDX-License-Identifier: Apache-2.0
"""Tests of the MPU's register values: decoded again as the architecture manuals say, address by address."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stowage.errors import InvalidBoard
from stowage.target.board import Access, Board, Span
from stowage.target.board_reader import load_board, parse_board
from stowage.target.core import MpuKind
from stowage.target.mpu_registers import MpuRegion, mpu_regions

BOARDS = Path(__file__).parents[3] / "boards"

# A vector table at 0 has at least this; of a longer one, as much as is a power of two is closed.
SHORTEST_TABLE_BYTES = 64

# What an address allows: may it be read, written, executed.
NOTHING, CODE, DATA = "---", "r-x", "rw-"


def _decode_pmsav7(regions: Sequence[MpuRegion], address: int) -> str:
    """B3.5.4 to B3.5.9: the matching region with the highest number decides; none is a fault without PRIVDEFENA."""
    for region in reversed(regions):
        size = 1 << ((region.attributes >> 1 & 0x1F) + 1)
        assert region.rbar % size == 0, "the base of a region is aligned to its size"
        if region.attributes & 1 and region.rbar <= address < region.rbar + size:
            permission = {0b000: "--", 0b011: "rw", 0b110: "r-"}[region.attributes >> 24 & 7]
            executable = permission[0] == "r" and not region.attributes >> 28 & 1
            return permission + ("x" if executable else "-")
    return NOTHING


def _decode_pmsav8(regions: Sequence[MpuRegion], address: int) -> str:
    """B7, D1.2: base and limit in 32-byte steps; no match and more than one match are faults."""
    hits = [r for r in regions if r.rbar & ~0x1F <= address <= r.attributes | 0x1F and r.attributes & 1]
    if len(hits) != 1:
        assert not hits, "regions must not overlap"
        return NOTHING
    permission = {0b01: "rw", 0b11: "r-"}[hits[0].rbar >> 1 & 3]
    return permission + ("-" if hits[0].rbar & 1 else "x")


def _decode(board: Board, address: int) -> str:
    decode = _decode_pmsav7 if board.core.mpu is MpuKind.PMSAV7 else _decode_pmsav8
    return decode(mpu_regions(board), address)


def _expected(board: Board, address: int) -> str:
    """What the board's map says, worked out without the plan."""
    if board.stack_guard.contains(address) or (board.vector_table.base == 0 and address < SHORTEST_TABLE_BYTES):
        return NOTHING
    if 0x4000_0000 <= address < 0x6000_0000:
        return DATA
    for region in board.regions:
        if region.span.contains(address):
            return CODE if region.access is Access.READ_EXECUTE else DATA
    return NOTHING


def _probes(board: Board) -> set[int]:
    """Both sides of every edge, and some far away; not what of a vector table at 0 may be open or closed."""
    spans = [span for region in board.regions for span in (region.span, region.free)]
    spans += [board.stack_guard, Span(0, SHORTEST_TABLE_BYTES), board.vector_table, Span(0x4000_0000, 0x6000_0000)]
    edges = {edge for span in spans for edge in (span.base, span.end)}
    addresses = {(edge + step) % (1 << 32) for edge in edges for step in (-4, -1, 0, 4)} | {0x1000, 0xDEAD_BEEF}
    undecided = board.vector_table if board.vector_table.base == 0 else Span(0, 0)
    return {a for a in addresses if a < SHORTEST_TABLE_BYTES or not undecided.contains(a)}


VARIANTS = [
    ("nrf52", ()),
    ("nrf52", ("softdevice_s140",)),
    ("nrf52", ("softdevice_s140", "bootloader")),
    ("mps2_an386", ()),
    ("mps2_an500", ()),
    ("mps2_an505", ()),
    ("mps3_an547", ()),
]


@pytest.mark.parametrize(("name", "reserve"), VARIANTS)
def test_the_registers_allow_what_the_map_says(name: str, reserve: tuple[str, ...]) -> None:
    board = load_board(BOARDS / name / "board.textproto", reserve)
    wrong = {
        hex(address): (_decode(board, address), _expected(board, address))
        for address in _probes(board)
        if _decode(board, address) != _expected(board, address)
    }
    assert wrong == {}


def test_a_core_without_mpu_gets_no_regions() -> None:
    assert mpu_regions(load_board(BOARDS / "microbit" / "board.textproto")) == ()


_BOARD = """
name: "b" core: "{core}" clock_hz: 1 stack_size_bytes: 256
regions {{ name: "flash" base: {flash} size_bytes: {flash_bytes} kind: FLASH access: READ_EXECUTE reached_by: CPU }}
regions {{ name: "sram" base: {sram} size_bytes: {sram_bytes} kind: SRAM access: READ_WRITE reached_by: CPU }}
roles {{ code: "flash" weights: "flash" arena: "sram" arena_fast: "sram" stack: "sram" data: "sram" }}
exec {{ device {{}} }}
"""


@given(
    core=st.sampled_from(["cortex_m4f", "cortex_m33"]),
    flash=st.integers(0, 64),
    flash_kib=st.integers(1, 4096),
    sram=st.integers(0, 4096),
    sram_kib=st.integers(1, 4096),
)
def test_any_map_is_protected_or_refused(core: str, flash: int, flash_kib: int, sram: int, sram_kib: int) -> None:
    text = _BOARD.format(
        core=core,
        flash=flash << 20,
        flash_bytes=flash_kib << 10,
        sram=0x2000_0000 + (sram << 10),
        sram_bytes=sram_kib << 10,
    )
    board = parse_board(text, "b.textproto")
    try:
        mpu_regions(board)
    except InvalidBoard as refusal:
        assert core == "cortex_m4f"
        assert "MPU regions, Cortex-M4F has 8; give regions sizes and bases that are powers of two" in str(refusal)
        return
    for address in _probes(board):
        assert _decode(board, address) == _expected(board, address)


def test_a_map_that_takes_too_many_regions_is_refused() -> None:
    text = _BOARD.format(core="cortex_m7", flash=0, flash_bytes=0xFFF00, sram=0x2000_0000, sram_bytes=0x40000)
    with pytest.raises(InvalidBoard) as refusal:
        mpu_regions(parse_board(text, "b.textproto"))
    assert str(refusal.value) == (
        "b.textproto: regions: protecting this map takes 15 MPU regions, Cortex-M7 has 8; "
        "give regions sizes and bases that are powers of two, or merge neighbours."
    )
