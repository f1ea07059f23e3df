# SPDX-License-Identifier: Apache-2.0
"""How much of a board's memory an image takes: flash, RAM and each region, by what it is for.

Sections are counted by where they lie and what they are, not by their names, so that a renamed or unexpected section
cannot escape; one that lies in no region of the board is an error, and so is an image without a stack.
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
    """Bytes of one kind in one region: `kind` is "padding", a kind in `_NAMES` or an unexpected section's name."""

    region: str
    kind: str
    size_bytes: int


@dataclass(frozen=True, slots=True)
class Usage:
    """What an image takes.

    Attributes:
        flash: parts of the stored image, initial values of data included.
        ram: parts of writable memory, the stack included.
        regions: (region, bytes used, bytes that an image may use).
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
    stored = [section for section in image.sections if section.stored]
    writable = [section for section in image.sections if _in_ram(section, board)]
    flash = [*_parts([(section.load_address, section) for section in stored], board)]
    ram = [*_parts([(section.address, section) for section in writable], board)]
    _check_present(flash, ram)
    return Usage(
        flash=tuple(flash),
        ram=tuple(ram),
        regions=tuple(_regions(board, flash, ram)),
        flash_symbols=_largest(image, {section.name for section in stored}),
        ram_symbols=_largest(image, {section.name for section in writable}),
    )


def _parts(placed: list[tuple[int, Section]], board: Board) -> Iterator[Part]:
    """A part for each section, and for each gap that exists only because the next section has to be aligned."""
    end = None
    for address, section in sorted(placed, key=lambda place: place[0]):
        region = _region(section, address, board).name
        if end is not None and 0 < address - end < section.alignment_bytes:
            yield Part(region, "padding", address - end)
        yield Part(region, _kind(section), section.size_bytes)
        end = address + section.size_bytes


def _kind(section: Section) -> str:
    return next((kind for prefix, kind in _NAMES if section.name.startswith(prefix)), section.name)


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


def _regions(board: Board, flash: list[Part], ram: list[Part]) -> Iterator[tuple[str, int, int]]:
    for region in board.regions:
        used = sum(part.size_bytes for part in [*flash, *ram] if part.region == region.name)
        yield region.name, used, region.free.size_bytes


def _largest(image: Image, sections: set[str]) -> tuple[Symbol, ...]:
    """Symbols, largest first; of several that share bytes, the one that begins first, or else is longest, counts."""
    inside = [symbol for symbol in image.symbols if symbol.section in sections]
    apart: list[Symbol] = []
    for symbol in sorted(inside, key=lambda symbol: (symbol.address, -symbol.size_bytes, symbol.name)):
        if not apart or symbol.address >= apart[-1].address + apart[-1].size_bytes:
            apart.append(symbol)
    return tuple(sorted(apart, key=lambda symbol: (-symbol.size_bytes, symbol.name)))
