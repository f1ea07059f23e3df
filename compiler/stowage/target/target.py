# SPDX-License-Identifier: Apache-2.0
"""The board as the compiler sees it: what the core can do, and how many bytes each role may take where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from stowage.target.board import Board, Master, Npu, Region, RegionKind, Role
from stowage.target.core import Core


@dataclass(frozen=True, slots=True)
class TargetRegion:
    """A region that the compiler may place buffers or weights in.

    Attributes:
        name: the region's name on the board, and in the section names `.stw_<role>.in_<name>`.
        capacity_bytes: what is left of it without reservations and, in the stack's region, without the stack.
        kind: its technology.
        banks: equal parts that different masters reach at the same time.
        read_cost: relative cost of reading a byte.
        write_cost: relative cost of writing a byte.
        reached_by: the masters that reach it.
    """

    name: str
    capacity_bytes: int
    kind: RegionKind
    banks: int
    read_cost: int
    write_cost: int
    reached_by: frozenset[Master]


@dataclass(frozen=True, slots=True)
class Target:
    """What schedule, memory planning and code generation know of the board.

    Attributes:
        board: the board's name.
        file: the board file as the user named it, for errors.
        core: the processor core.
        features: what kernels look at: any of "fpu", "dsp", "mve", "thumb1".
        roles: for each role the regions that may take it, the preferred one first.
        npu: the neural processing unit, if the board has one.
        dma_channels: copies of memory that its controllers run at once.
    """

    board: str
    file: str
    core: Core
    features: frozenset[str]
    roles: Mapping[Role, tuple[TargetRegion, ...]]
    npu: Npu | None = None
    dma_channels: int = 0

    def preferred(self, role: Role) -> TargetRegion:
        """The region that takes a role unless the compiler says otherwise."""
        return self.roles[role][0]


def target_of(board: Board) -> Target:
    """The compiler's view of a board."""
    features = frozenset(name for name in ("fpu", "dsp", "mve", "thumb1") if getattr(board.core, name))
    regions = {region.name: _target_region(board, region) for region in board.regions}
    roles = {role: tuple(regions[region.name] for region in taken) for role, taken in board.roles.items()}
    channels = sum(controller.channels for controller in board.dma)
    return Target(board.name, board.file, board.core, features, roles, board.npu, channels)


def _target_region(board: Board, region: Region) -> TargetRegion:
    has_stack = region.name == board.roles[Role.STACK][0].name
    taken = board.stack_size_bytes + board.stack_guard.size_bytes if has_stack else 0
    return TargetRegion(
        name=region.name,
        capacity_bytes=region.free.size_bytes - taken,
        kind=region.kind,
        banks=region.banks,
        read_cost=region.read_cost,
        write_cost=region.write_cost,
        reached_by=region.reached_by,
    )
