# SPDX-License-Identifier: Apache-2.0
"""ELF files for tests: 32-bit Arm executables with just the sections, segments and symbols that are asked for."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass

_HEADER, _SECTION, _SEGMENT, _SYMBOL = "<16sHHIIIIIHHHHHH", "<IIIIIIIIII", "<IIIIIIII", "<IIIBBH"
_EM_ARM, _PROGBITS, _SYMTAB, _STRTAB, _NOBITS = 40, 1, 2, 3, 8
_DATA_OFFSET = 0x1000


@dataclass(frozen=True, slots=True)
class ElfSection:
    """An allocated section. `load_address` is where its bytes are stored if that is elsewhere."""

    name: str
    address: int
    size_bytes: int
    stored: bool = True
    load_address: int | None = None
    alignment_bytes: int = 4
    allocated: bool = True


@dataclass(frozen=True, slots=True)
class ElfSymbol:
    """A symbol of the section with that index, counted from 0; its value has bit 0 set where it is a Thumb function."""

    name: str
    value: int
    size_bytes: int
    section: int
    function: bool = False


def elf_bytes(sections: Sequence[ElfSection], symbols: Sequence[ElfSymbol] | None = None) -> bytes:
    """The file; without symbols it is stripped."""
    names, name_offsets = _strings([s.name for s in sections] + [".shstrtab", ".symtab", ".strtab"])
    body = bytearray()
    headers = [bytes(40)]
    for index, section in enumerate(sections):
        kind = _PROGBITS if section.stored else _NOBITS
        flags = 2 if section.allocated else 0
        place = _DATA_OFFSET + len(body)
        sizes = (section.address, place, section.size_bytes, 0, 0, section.alignment_bytes, 0)
        headers.append(struct.pack(_SECTION, name_offsets[index], kind, flags, *sizes))
        body += bytes(section.size_bytes if section.stored else 0)
    tables = [(_STRTAB, names, 0, 0)]
    if symbols is not None:
        texts, text_offsets = _strings([symbol.name for symbol in symbols])
        tables += [(_SYMTAB, _symbols(symbols, text_offsets), len(sections) + 3, 16), (_STRTAB, texts, 0, 0)]
    for (kind, content, link, entry), name in zip(tables, name_offsets[len(sections) :], strict=False):
        place = _DATA_OFFSET + len(body)
        headers.append(struct.pack(_SECTION, name, kind, 0, 0, place, len(content), link, 0, 4, entry))
        body += content
    segments = _segments(sections)
    return _file(len(sections) + 1, headers, segments, bytes(body))


def _file(names_index: int, headers: Sequence[bytes], segments: Sequence[bytes], body: bytes) -> bytes:
    identity = b"\x7fELF\x01\x01\x01".ljust(16, b"\0")
    section_table = _DATA_OFFSET + len(body)
    counts = (52, 32, len(segments), 40, len(headers), names_index)
    header = struct.pack(_HEADER, identity, 2, _EM_ARM, 1, 0, 52, section_table, 0, *counts)
    return (header + b"".join(segments)).ljust(_DATA_OFFSET, b"\0") + body + b"".join(headers)


def _segments(sections: Sequence[ElfSection]) -> list[bytes]:
    found = []
    place = _DATA_OFFSET
    for section in sections:
        if section.allocated:
            stored = section.size_bytes if section.stored else 0
            load = section.address if section.load_address is None else section.load_address
            found.append(struct.pack(_SEGMENT, 1, place, section.address, load, stored, section.size_bytes, 7, 1))
        place += section.size_bytes if section.stored else 0
    return found


def _symbols(symbols: Sequence[ElfSymbol], offsets: Sequence[int]) -> bytes:
    entries = [bytes(16)]
    for symbol, offset in zip(symbols, offsets, strict=True):
        info = 0x10 | (2 if symbol.function else 1)
        entries.append(struct.pack(_SYMBOL, offset, symbol.value, symbol.size_bytes, info, 0, symbol.section + 1))
    return b"".join(entries)


def _strings(texts: Sequence[str]) -> tuple[bytes, list[int]]:
    content, offsets = b"\0", []
    for text in texts:
        offsets.append(len(content))
        content += text.encode() + b"\0"
    return content, offsets
