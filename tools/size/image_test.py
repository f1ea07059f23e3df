# SPDX-License-Identifier: Apache-2.0
"""Reading ELF files: sections with their two addresses, symbols, and files that are refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from tools.size.image import ImageError, Section, Symbol, read_image
from tools.size.synthetic_elf import ElfSection, ElfSymbol, elf_bytes

TEXT = ElfSection(".text", 0x100, 64, alignment_bytes=8)
DATA = ElfSection(".data", 0x20000000, 12, load_address=0x140)
BSS = ElfSection(".bss", 0x2000000C, 20, stored=False)
DEBUG = ElfSection(".debug_info", 0, 500, allocated=False)
EMPTY = ElfSection(".empty", 0x20000100, 0)


def _write(folder: Path, content: bytes) -> Path:
    path = folder / "image.elf"
    path.write_bytes(content)
    return path


def test_sections_that_take_memory_are_read_with_both_addresses(tmp_path: Path) -> None:
    image = read_image(_write(tmp_path, elf_bytes([BSS, TEXT, DEBUG, EMPTY, DATA], [])))
    assert image.sections == (
        Section(".text", 0x100, 0x100, 64, stored=True, alignment_bytes=8),
        Section(".data", 0x20000000, 0x140, 12, stored=True, alignment_bytes=4),
        Section(".bss", 0x2000000C, 0x2000000C, 20, stored=False, alignment_bytes=4),
    )


def test_symbols_have_the_address_of_their_first_byte(tmp_path: Path) -> None:
    symbols = [
        ElfSymbol("main", 0x109, 16, 0, function=True),
        ElfSymbol("odd_table", 0x121, 3, 0),
        ElfSymbol("label", 0x110, 0, 0),
    ]
    image = read_image(_write(tmp_path, elf_bytes([TEXT], symbols)))
    assert image.symbols == (Symbol("main", 0x108, 16, ".text"), Symbol("odd_table", 0x121, 3, ".text"))
    assert image.addresses["label"] == 0x110


def test_a_stripped_image_is_refused(tmp_path: Path) -> None:
    with pytest.raises(ImageError, match=r"^image\.elf has no symbol table: do not strip it before it is measured$"):
        read_image(_write(tmp_path, elf_bytes([TEXT])))


FOREIGN = [b"", b"\x7fELF", b":10000000000102030405060708090A0B0C0D0E0F78\n", b"\x7fELF" * 30]


@pytest.mark.parametrize("content", FOREIGN)
def test_what_is_no_elf_is_refused(tmp_path: Path, content: bytes) -> None:
    with pytest.raises(ImageError, match=r"^image\.elf is no ELF image"):
        read_image(_write(tmp_path, content))
