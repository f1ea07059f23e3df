# SPDX-License-Identifier: Apache-2.0
"""How much of a board's memory an image takes: flash, RAM and each region, by what it is for.

Sections are counted by where they lie and what they are, not by their names, so that a renamed or unexpected section cannot escape;
one that lies in no region of the board is an error, and so is an image without a stack.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from stowage.target.board import Access, Board, Region
from tools.size.image import Image, ImageError, Section, Symbol

STACK_SECTION = ".stw_stack"
_NAMES = (
    (".stw_weights", "weights"),
    (".stw_arena", "arena"),
    (STACK_SECTION, "stack"),
    (".stw_vectors", "code"),
    (".stw_port_text", "code"),
    (".text", "code"),
    (".rodata", "tables"),
    (".data", "data"),
    (".bss", "bss"),
    (".stw_port_bss", "bss"),
)


@dataclass(frozen=True, slots=True)
class Part:
    """Bytes of one kind in one region: `kind` is "code", "tables", "weights", "data", "arena", "bss", "stack" or a section's name."""

    region: str
    kind: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Usage:
    """What an image takes.

    Attributes:
        flash: parts of the stored image, initial values of data included.
        ram: parts of writable memory, the stack included.
        regions: (region, bytes used, bytes that an image may use), gaps of alignment not counted.
        flash_symbols: functions and constants, largest first.
        ram_symbols: variables and arenas, largest first.
    """

    flash: tuple[Part, ...]
    ram: tuple[Part, ...]
    regions: tuple[tuple[str, int, int], ...]
    flash_symbols: tuple[Symbol, ...]
    ram_symbols: tuple[Symbol, ...]

    @property
    def flash_bytes(self) -> int:
        """All that is stored."""
        return sum(part.size_bytes for part in self.flash)

    @property
    def ram_bytes(self) -> int:
        """All that is writable."""
        return sum(part.size_bytes for part in self.ram)


def usage(image: Image, board: Board) -> Usage:
    """Measures an image against its board.

    Raises:
        ImageError: a section lies outside of the board's memory, or there is no stack or no code.
    """
    flash = [_part(section, section.load_address, board) for section in image.sections if section.stored]
    ram = [_part(section, section.address, board) for section in image.sections if _in_ram(section, board)]
    _check_present(flash, ram)
    return Usage(
        flash=tuple(flash),
        ram=tuple(ram),
        regions=tuple(_regions(board, [*flash, *ram])),
        flash_symbols=_largest(image, {s.name for s in image.sections if s.stored}),
        ram_symbols=_largest(image, {s.name for s in image.sections if _in_ram(s, board)}),
    )


def _part(section: Section, address: int, board: Board) -> Part:
    kind = next((kind for prefix, kind in _NAMES if section.name.startswith(prefix)), section.name)
    return Part(_region(section, address, board).name, kind, section.size_bytes)


def _region(section: Section, address: int, board: Board) -> Region:
    for region in board.regions:
        if region.free.contains(address) and address + section.size_bytes <= region.free.end:
            return region
    raise ImageError(f"section {section.name} at {address:#x} lies in no free memory of board {board.name}")


def _in_ram(section: Section, board: Board) -> bool:
    return _region(section, section.address, board).access is Access.READ_WRITE


def _check_present(flash: list[Part], ram: list[Part]) -> None:
    if not any(part.kind == "stack" for part in ram):
        raise ImageError(f"the image has no section {STACK_SECTION}, so that its RAM cannot be told")
    if not any(part.kind == "code" for part in flash):
        raise ImageError("the image has no code")


def _regions(board: Board, parts: list[Part]) -> Iterator[tuple[str, int, int]]:
    for region in board.regions:
        yield region.name, sum(p.size_bytes for p in parts if p.region == region.name), region.free.size_bytes


def _largest(image: Image, sections: set[str]) -> tuple[Symbol, ...]:
    inside = {(s.address, s.size_bytes): s for s in image.symbols if s.section in sections}
    return tuple(sorted(inside.values(), key=lambda symbol: (-symbol.size_bytes, symbol.name)))
