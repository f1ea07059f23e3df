# SPDX-License-Identifier: Apache-2.0
"""Gives every command its step and every piece its bank, so that no two streams of a step meet on a port.

A step has one command for the engine; meanwhile the DMA loads what the next step's reads and stores what the last one's
made. Banks are given piece by piece in the order of time: the emptiest in which it clashes with nothing. Where there is
none, the command gets a step of the DMA's own before it or behind it, which asks for fewer ports at once, and all is
placed anew.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from stowage.npu.tile import Piece, Tiling
from stowage.npu.tiling import NoTiling
from stowage.target.board import Npu

_GRAIN_BYTES = 16


@dataclass(frozen=True, slots=True)
class Placed:
    """A piece in its bank.

    Attributes:
        piece: what it is.
        bank: which.
        offset_bytes: where in it.
        load_step: when it is loaded, if it is.
        store_step: when it is stored, if it is.
        first: the first step of its life.
        last: the last.
    """

    piece: Piece
    bank: int
    offset_bytes: int
    load_step: int | None
    store_step: int | None
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Placement:
    """A segment in steps and banks: `steps[k]` is when the k-th command runs."""

    tiling: Tiling
    steps: tuple[int, ...]
    placed: dict[str, Placed]

    @property
    def step_count(self) -> int:
        """Steps in all."""
        return max(each.last for each in self.placed.values()) + 1


def placed(tiling: Tiling, npu: Npu) -> Placement:
    """A placement of a segment's tiles.

    Raises:
        NoTiling: there is none, as far as is looked.
    """
    gaps = [False] * (len(tiling.work) + 1)
    while True:
        steps = _steps(gaps[:-1])
        uses = _uses(tiling, steps)
        clash = _place_all(tiling, uses, npu)
        if isinstance(clash, dict):
            return Placement(tiling, steps, clash)
        _widen(gaps, tiling, clash)


@dataclass(frozen=True, slots=True)
class _Use:
    """When a piece is touched, and by whom: by the DMA in `load_step` and `store_step`, by the engine in `engine`."""

    piece: Piece
    load_step: int | None
    store_step: int | None
    engine: frozenset[int]

    @property
    def dma(self) -> frozenset[int]:
        return frozenset(step for step in (self.load_step, self.store_step) if step is not None)

    @property
    def first(self) -> int:
        return min(self.engine | self.dma)

    @property
    def last(self) -> int:
        return max(self.engine | self.dma)


def _steps(gaps: Sequence[bool]) -> tuple[int, ...]:
    """When each command runs: one after the other, with a step in between where there is a gap before it."""
    steps, now = [], 0
    for gap in gaps:
        now += 1 + int(gap)
        steps.append(now)
    return tuple(steps)


def _uses(tiling: Tiling, steps: Sequence[int]) -> list[_Use]:
    touched: dict[str, list[int]] = {}
    for step, work in zip(steps, tiling.work, strict=True):
        for piece in work.pieces:
            touched.setdefault(piece, []).append(step)
    uses = [
        _Use(
            piece=piece,
            load_step=touched[name][0] - 1 if piece.load else None,
            store_step=touched[name][-1] + 1 if piece.store else None,
            engine=frozenset(touched[name]),
        )
        for name, piece in tiling.pieces.items()
    ]
    return sorted(uses, key=lambda use: (use.first, -use.piece.size_bytes))


def _place_all(tiling: Tiling, uses: Iterable[_Use], npu: Npu) -> dict[str, Placed] | _Use:
    """All pieces in their places, or the first that has none."""
    banks = [_Bank(npu.bank_bytes) for _ in range(npu.banks)]
    result: dict[str, Placed] = {}
    for use in uses:
        options = [(bank.taken_bytes(use), number) for number, bank in enumerate(banks) if bank.suits(use)]
        offsets = ((number, banks[number].room(use)) for _, number in sorted(options))
        found = next(((number, offset) for number, offset in offsets if offset is not None), None)
        if found is None:
            return use
        number, offset = found
        banks[number].take(use, offset)
        result[use.piece.name] = Placed(use.piece, number, offset, use.load_step, use.store_step, use.first, use.last)
    return result


class _Bank:
    """What lies in a bank, and who has its port when."""

    def __init__(self, size_bytes: int) -> None:
        self._size_bytes = size_bytes
        self._held: list[tuple[_Use, int]] = []
        self._engine: set[int] = set()
        self._dma: set[int] = set()

    def suits(self, use: _Use) -> bool:
        """Whether the port is free whenever the piece is touched; copies go one after the other."""
        return not (use.engine & self._engine or use.engine & self._dma or use.dma & self._engine)

    def taken_bytes(self, use: _Use) -> int:
        """What lies there during the piece's life."""
        return sum(_rounded(other.piece.size_bytes) for other, _ in self._during(use))

    def room(self, use: _Use) -> int | None:
        """The lowest place where it overlaps nothing of its time."""
        at = 0
        for offset, end in sorted((offset, offset + other.piece.size_bytes) for other, offset in self._during(use)):
            if offset - at >= use.piece.size_bytes:
                break
            at = max(at, _rounded(end))
        return at if at + use.piece.size_bytes <= self._size_bytes else None

    def take(self, use: _Use, offset_bytes: int) -> None:
        """Puts a piece there."""
        self._held.append((use, offset_bytes))
        self._engine |= use.engine
        self._dma |= use.dma

    def _during(self, use: _Use) -> list[tuple[_Use, int]]:
        first, last = use.first, use.last
        return [(other, at) for other, at in self._held if other.first <= last and first <= other.last]


def _rounded(size_bytes: int) -> int:
    return -(-size_bytes // _GRAIN_BYTES) * _GRAIN_BYTES


def _widen(gaps: list[bool], tiling: Tiling, clash: _Use) -> None:
    """Puts a step of the DMA's own before the first command that touches a piece, or else behind the last.

    Raises:
        NoTiling: they are there already, and everywhere else too.
    """
    touching = [index for index, work in enumerate(tiling.work) if clash.piece.name in work.pieces]
    for place in (touching[0], touching[-1] + 1):
        if place < len(tiling.work) and not gaps[place]:
            gaps[place] = True
            return
    if all(gaps[:-1]):
        raise NoTiling(f'no bank has room for "{clash.piece.name}" and a port for it')
    gaps[:] = [True] * len(gaps)
