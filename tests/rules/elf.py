# SPDX-License-Identifier: Apache-2.0
"""Reads from an ELF image what the tests compare: its core, its sections, its symbols, its stored bytes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from elftools.elf.constants import SH_FLAGS
from elftools.elf.elffile import ELFFile
from elftools.elf.sections import ARMAttributesSection, SymbolTableSection

# What a symbol is called that is no symbol of the program: the assembler's marks of code and data.
_MARKS = ("$a", "$d", "$t")


@dataclass(frozen=True, slots=True)
class Symbol:
    """A named address.

    Attributes:
        name: its name.
        address: its value.
        size_bytes: 0 for those of the linker script.
        section: the section that it is in, or "SHN_ABS" or "SHN_UNDEF".
    """

    name: str
    address: int
    size_bytes: int
    section: str


@dataclass(frozen=True, slots=True)
class Elf:
    """An image.

    Attributes:
        machine: of its header.
        attributes: the Arm build attributes, by tag.
        sections: (address, size in bytes) of what takes memory, by name.
        symbols: all that have a name, marks and files aside.
        stored: the bytes of each stored section, by the address that they are loaded at.
    """

    machine: str
    attributes: dict[str, object]
    sections: dict[str, tuple[int, int]]
    symbols: tuple[Symbol, ...]
    stored: dict[int, bytes]

    def symbol(self, name: str) -> Symbol:
        """The one symbol of that name."""
        (found,) = (symbol for symbol in self.symbols if symbol.name == name)
        return found


def read_elf(path: Path) -> Elf:
    """Reads an ELF file."""
    with path.open("rb") as stream:
        elf = ELFFile(stream)
        return Elf(
            machine=elf["e_machine"],
            attributes=dict(_attributes(elf)),
            sections=dict(_sections(elf)),
            symbols=tuple(_symbols(elf)),
            stored=dict(_stored(elf)),
        )


def _attributes(elf: ELFFile) -> Iterator[tuple[str, object]]:
    section = elf.get_section_by_name(".ARM.attributes")
    assert isinstance(section, ARMAttributesSection)
    for subsection in section.iter_subsections():
        for subsubsection in subsection.iter_subsubsections():
            yield from ((attribute.tag, attribute.value) for attribute in subsubsection.iter_attributes())


def _sections(elf: ELFFile) -> Iterator[tuple[str, tuple[int, int]]]:
    for section in elf.iter_sections():
        if section["sh_flags"] & SH_FLAGS.SHF_ALLOC and section["sh_size"]:
            yield section.name, (section["sh_addr"], section["sh_size"])


def _stored(elf: ELFFile) -> Iterator[tuple[int, bytes]]:
    for section in elf.iter_sections():
        is_stored = section["sh_type"] != "SHT_NOBITS" and section["sh_flags"] & SH_FLAGS.SHF_ALLOC
        if is_stored and section["sh_size"]:
            (segment,) = (s for s in elf.iter_segments("PT_LOAD") if s.section_in_segment(section))
            yield section["sh_addr"] - segment["p_vaddr"] + segment["p_paddr"], section.data()


def _symbols(elf: ELFFile) -> Iterator[Symbol]:
    names = [section.name for section in elf.iter_sections()]
    table = elf.get_section_by_name(".symtab")
    assert isinstance(table, SymbolTableSection)
    for symbol in table.iter_symbols():
        if symbol.name and symbol["st_info"]["type"] != "STT_FILE" and not symbol.name.startswith(_MARKS):
            index = symbol["st_shndx"]
            section = names[index] if isinstance(index, int) else index
            yield Symbol(symbol.name, symbol["st_value"], symbol["st_size"], section)
