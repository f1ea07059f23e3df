# SPDX-License-Identifier: Apache-2.0
"""What an image takes, by hand: nothing escapes by its name, nothing counts twice, nothing lies outside."""

from __future__ import annotations

import dataclasses

import pytest

from stowage.target.board import Board
from stowage.target.board_reader import load_board
from stowage.target.find_board import BOARDS
from tools.size.breakdown import by_kind, flash_shares
from tools.size.image import Image, ImageError, Section, Symbol
from tools.size.usage import usage

RAM = 0x20000000
VECTORS = Section(".stw_vectors", 0, 0, 256, stored=True, alignment_bytes=4)
TEXT = Section(".text", 0x100, 0x100, 100, stored=True, alignment_bytes=4)
WEIGHTS = Section(".stw_weights", 0x168, 0x168, 300, stored=True, alignment_bytes=8)
STACK = Section(".stw_stack", RAM, RAM, 1024, stored=False, alignment_bytes=1)
DATA = Section(".data", RAM + 1024, 0x294, 16, stored=True, alignment_bytes=4)
ARENA = Section(".stw_arena", RAM + 1040, RAM + 1040, 640, stored=False, alignment_bytes=8)
SECTIONS = (TEXT, WEIGHTS, STACK, DATA, ARENA)
SYMBOLS = (
    Symbol("main", 0x100, 60, ".text"),
    Symbol("kws_run", 0x13C, 40, ".text"),
    Symbol("kws_conv_weights", 0x168, 200, ".stw_weights"),
    Symbol("kws_wide_conv_weights", 0x230, 80, ".stw_weights"),
    Symbol("threshold", RAM + 1024, 4, ".data"),
    Symbol("kws_arena", RAM + 1040, 640, ".stw_arena"),
)


@pytest.fixture(scope="module")
def nrf52() -> Board:
    return load_board(BOARDS / "nrf52" / "board.textproto", [])


def _image(*sections: Section, symbols: tuple[Symbol, ...] = SYMBOLS) -> Image:
    return Image(sections, symbols, {})


def test_flash_and_ram_are_what_is_stored_and_what_is_writable(nrf52: Board) -> None:
    used = usage(_image(*SECTIONS), nrf52)
    assert by_kind(used.flash) == (("weights", 300), ("code", 100), ("data", 16), ("padding", 4))
    assert by_kind(used.ram) == (("stack", 1024), ("arena", 640), ("data", 16))
    assert (used.flash_bytes, used.ram_bytes) == (420, 1680)
    assert {name: size for name, size, _ in used.regions} == {"flash": 420, "sram": 1680}


def test_initialised_data_counts_in_flash_and_in_ram(nrf52: Board) -> None:
    bigger = dataclasses.replace(DATA, size_bytes=17)
    used = usage(_image(TEXT, WEIGHTS, STACK, bigger), nrf52)
    assert by_kind(used.flash)[2] == ("data", 17)
    assert ("data", 17) in by_kind(used.ram)


def test_a_section_of_an_unexpected_name_counts_under_its_name(nrf52: Board) -> None:
    stored = Section("my_secrets", 0x400, 0x400, 77, stored=True, alignment_bytes=1)
    hidden = Section(".noinit", RAM + 4096, RAM + 4096, 55, stored=False, alignment_bytes=1)
    used = usage(_image(*SECTIONS, stored, hidden), nrf52)
    assert ("my_secrets", 77) in by_kind(used.flash)
    assert (".noinit", 55) in by_kind(used.ram)
    assert (used.flash_bytes, used.ram_bytes) == (420 + 77, 1680 + 55)


@pytest.mark.parametrize(
    "stray",
    [
        Section(".stray", 0x50000000, 0x50000000, 4, stored=False, alignment_bytes=4),
        Section(".long", RAM + 262140, RAM + 262140, 8, stored=False, alignment_bytes=4),
        Section(".data", RAM + 1024, 0x60000000, 8, stored=True, alignment_bytes=4),
    ],
)
def test_a_section_outside_of_the_boards_memory_is_refused(nrf52: Board, stray: Section) -> None:
    with pytest.raises(ImageError, match=rf"section {stray.name} at 0x\w+ lies in no free memory of board nrf52"):
        usage(_image(TEXT, STACK, stray), nrf52)


def test_memory_that_is_reserved_is_outside() -> None:
    board = load_board(BOARDS / "nrf52" / "board.textproto", ["softdevice_s140"])
    with pytest.raises(ImageError, match=r"section \.text at 0x100 lies in no free memory"):
        usage(_image(*SECTIONS), board)


def test_an_image_without_a_stack_is_refused(nrf52: Board) -> None:
    with pytest.raises(ImageError, match=r"no section \.stw_stack"):
        usage(_image(TEXT, DATA, ARENA), nrf52)


def test_an_image_without_code_is_refused(nrf52: Board) -> None:
    with pytest.raises(ImageError, match="no code"):
        usage(_image(STACK, WEIGHTS), nrf52)


def test_gaps_that_alignment_makes_count_and_others_do_not(nrf52: Board) -> None:
    aligned = Section(".stw_arena", RAM + 4096, RAM + 4096, 8, stored=False, alignment_bytes=4096)
    used = usage(_image(TEXT, STACK, aligned), nrf52)
    assert ("padding", 4096 - 1024) in by_kind(used.ram)
    placed = dataclasses.replace(aligned, alignment_bytes=8)
    assert "padding" not in dict(by_kind(usage(_image(TEXT, STACK, placed), nrf52).ram))


def test_nothing_lies_before_the_first_section(nrf52: Board) -> None:
    used = usage(_image(VECTORS, TEXT, STACK), nrf52)
    assert by_kind(used.flash) == (("code", 356),)


def test_symbols_that_share_bytes_count_once(nrf52: Board) -> None:
    alias = Symbol("alias_of_main", 0x100, 60, ".text")
    inner = Symbol("inner", 0x110, 8, ".text")
    used = usage(_image(*SECTIONS, symbols=(*SYMBOLS, alias, inner)), nrf52)
    assert sum(s.size_bytes for s in used.flash_symbols) == 60 + 40 + 200 + 80 + 4
    assert [s.name for s in used.flash_symbols if s.section == ".text"] == ["alias_of_main", "kws_run"]


def test_contributors_are_by_size_then_by_name(nrf52: Board) -> None:
    used = usage(_image(*SECTIONS), nrf52)
    assert [s.name for s in used.flash_symbols][:3] == ["kws_conv_weights", "kws_wide_conv_weights", "main"]
    assert [s.name for s in used.ram_symbols] == ["kws_arena", "threshold"]


def test_weights_are_shared_out_among_the_models(nrf52: Board) -> None:
    used = usage(_image(*SECTIONS), nrf52)
    assert dict(flash_shares(used, ["kws"])) == {
        "weights of kws": 280,
        "other weights": 20,
        "code": 100,
        "data": 16,
        "padding": 4,
    }
    two = dict(flash_shares(used, ["kws", "kws_wide"]))
    assert (two["weights of kws"], two["weights of kws_wide"], two["other weights"]) == (200, 80, 20)
    assert sum(two.values()) == used.flash_bytes
