# SPDX-License-Identifier: Apache-2.0
"""What an ELF image puts where: its allocated sections and its symbols."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import Symbol as ElfSymbol
from elftools.elf.sections import SymbolTableSection


class ImageError(Exception):
    """A file that is not an ELF image with symbols; the message says which and why."""


@dataclass(frozen=True, slots=True)
class Section:
    """A section that takes memory when the image runs.

    Attributes:
        name: its name.
        address: where it is when the image runs.
        load_address: where its bytes are stored; the same as `address` for all but initialised data.
        size_bytes: its size.
        stored: whether its bytes are in the image (else the memory is only set aside).
        alignment_bytes: what its address is a multiple of.
    """

    name: str
    address: int
    load_address: int
    size_bytes: int
    stored: bool
    alignment_bytes: int


@dataclass(frozen=True, slots=True)
class Symbol:
    """A function or object: its name, address, size and the section that it is in."""

    name: str
    address: int
    size_bytes: int
    section: str


@dataclass(frozen=True, slots=True)
class Image:
    """An ELF image.

    Attributes:
        sections: allocated sections of at least one byte, by address.
        symbols: functions and objects of at least one byte.
        addresses: every named symbol's value, those without a size included.
    """

    sections: tuple[Section, ...]
    symbols: tuple[Symbol, ...]
    addresses: dict[str, int]


def read_image(path: Path) -> Image:
    """Reads an ELF file.

    Raises:
        ImageError: it is no ELF file, or it has no symbol table.
    """
    with path.open("rb") as stream:
        try:
            elf = ELFFile(stream)
        except Exception as failure:
            raise ImageError(f"{path.name} is no ELF image ({failure})") from failure
        table = elf.get_section_by_name(".symtab")
        if not isinstance(table, SymbolTableSection):
            raise ImageError(f"{path.name} has no symbol table: do not strip it before it is measured")
        return Image(_sections(elf), _symbols(elf, table), _addresses(table))


def _sections(elf: ELFFile) -> tuple[Section, ...]:
    found = [
        Section(
            name=section.name,
            address=section["sh_addr"],
            load_address=_load_address(elf, section["sh_addr"], section["sh_offset"]),
            size_bytes=section["sh_size"],
            stored=section["sh_type"] != "SHT_NOBITS",
            alignment_bytes=max(section["sh_addralign"], 1),
        )
        for section in elf.iter_sections()
        if section["sh_flags"] & SH_FLAGS.SHF_ALLOC and section["sh_size"]
    ]
    return tuple(sorted(found, key=lambda section: section.address))


def _load_address(elf: ELFFile, address: int, offset: int) -> int:
    for segment in elf.iter_segments("PT_LOAD"):
        start = segment["p_vaddr"]
        if start <= address < start + segment["p_memsz"] and segment["p_offset"] <= offset:
            return int(address - start + segment["p_paddr"])
    return address


def _symbols(elf: ELFFile, table: SymbolTableSection) -> tuple[Symbol, ...]:
    names = [section.name for section in elf.iter_sections()]
    return tuple(
        Symbol(symbol.name, _address(symbol), symbol["st_size"], names[symbol["st_shndx"]])
        for symbol in table.iter_symbols()
        if symbol["st_size"] and isinstance(symbol["st_shndx"], int)
    )


def _address(symbol: ElfSymbol) -> int:
    """Where a symbol's first byte is: the lowest bit of a Thumb function's value is no part of that."""
    thumb = symbol["st_info"]["type"] == "STT_FUNC"
    return int(symbol["st_value"]) & ~int(thumb)


def _addresses(table: SymbolTableSection) -> dict[str, int]:
    return {s.name: s["st_value"] for s in table.iter_symbols() if s.name}
