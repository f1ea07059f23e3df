# SPDX-License-Identifier: Apache-2.0
"""A board as the compiler and the generators know it: the records of a board file that has passed its checks.

Addresses and sizes are in bytes. `board_reader` makes these records; nothing else does outside tests.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass

from stowage.target.core import Core, MpuKind

STACK_GUARD_BYTES = 256
"""Size and alignment of the inaccessible gap below a stack that has other memory right below it."""


class RegionKind(enum.Enum):
    """The technology of a region."""

    FLASH = "flash"
    SRAM = "sram"
    TCM = "tcm"
    DRAM = "dram"


class Access(enum.Enum):
    """What a running image may do with a region."""

    READ_EXECUTE = "read and execute"
    READ_WRITE = "read and write"


class Master(enum.Enum):
    """Who can reach a region."""

    CPU = "cpu"
    DMA = "dma"
    NPU = "npu"


class Role(enum.Enum):
    """What a region is used for; the names of the fields of `Roles` in the schema."""

    CODE = "code"
    WEIGHTS = "weights"
    ARENA = "arena"
    ARENA_FAST = "arena_fast"
    STACK = "stack"
    DATA = "data"

    @property
    def access(self) -> Access:
        """The access that a region needs for this role."""
        return Access.READ_EXECUTE if self in (Role.CODE, Role.WEIGHTS) else Access.READ_WRITE


@dataclass(frozen=True, slots=True)
class Span:
    """The bytes from `base` up to and without `end`."""

    base: int
    end: int

    @property
    def size_bytes(self) -> int:
        """Length in bytes."""
        return self.end - self.base

    def overlaps(self, other: Span) -> bool:
        """Whether a byte lies in both."""
        return self.base < other.end and other.base < self.end

    def contains(self, address: int) -> bool:
        """Whether the byte at `address` is one of these."""
        return self.base <= address < self.end


@dataclass(frozen=True, slots=True)
class Region:
    """A contiguous memory with one behaviour.

    Attributes:
        name: unique on the board.
        description: one line for people.
        span: all its bytes.
        free: the bytes that an image may use: `span` without what is reserved.
        kind: its technology.
        access: what a running image may do with it.
        banks: equal parts that different masters reach at the same time.
        read_cost: relative cost of reading a byte.
        write_cost: relative cost of writing a byte.
        reached_by: the masters that reach it.
    """

    name: str
    description: str
    span: Span
    free: Span
    kind: RegionKind
    access: Access
    banks: int
    read_cost: int
    write_cost: int
    reached_by: frozenset[Master]


@dataclass(frozen=True, slots=True)
class ReservedRange:
    """Bytes of the region named `region` that belong to somebody else."""

    region: str
    span: Span


@dataclass(frozen=True, slots=True)
class Reservation:
    """Memory that belongs to somebody else.

    Attributes:
        name: unique on the board.
        owner: who, with a version.
        always: whether every image leaves it alone, or only one that selects it.
        ranges: the bytes.
    """

    name: str
    owner: str
    always: bool
    ranges: tuple[ReservedRange, ...]


@dataclass(frozen=True, slots=True)
class DmaController:
    """A controller that copies memory: its name, programming model, register base, channels and interrupt line."""

    name: str
    model: str
    base: int
    channels: int
    interrupt: int


@dataclass(frozen=True, slots=True)
class Npu:
    """A neural processing unit; the fields are those of `Npu` in the schema."""

    name: str
    base: int
    macs_per_cycle: int
    banks: int
    operators: tuple[str, ...]
    command_format: str
    bank_bytes: int
    array_channels: int
    array_pixels: int
    array_depth: int
    port_bytes: int
    dma_bytes: int


@dataclass(frozen=True, slots=True)
class QemuMachine:
    """A QEMU machine that runs the board's images; the fields are those of `Qemu` in the schema."""

    machine: str
    cpu: str
    arguments: tuple[str, ...]
    icount_shift: int
    systick_hz: int


class RunsOn(enum.Enum):
    """Where tests execute an image when there is no emulator for it."""

    DEVICE = "device"
    HOST = "host"


Execution = QemuMachine | RunsOn


@dataclass(frozen=True, slots=True)
class NrfUart:
    """The legacy UART of Nordic's nRF51 and nRF52."""

    base: int
    tx_pin: int
    baud_register: int


@dataclass(frozen=True, slots=True)
class CmsdkUart:
    """The UART of Arm's Cortex-M System Design Kit."""

    base: int
    baud_divisor: int


Console = NrfUart | CmsdkUart


@dataclass(frozen=True, slots=True)
class Board:
    """A board, with the reservations of one image taken off its regions.

    Attributes:
        file: the board file, as the user named it.
        name: the board's name.
        description: one line for people.
        core: the processor core.
        clock_hz: processor clock.
        interrupts: interrupt lines beyond the sixteen exceptions.
        stack_size_bytes: size of the stack where an image asks for no other.
        regions: the memories, by rising address.
        reservations: all that the board file knows.
        reserved: names of the reservations in force.
        roles: for each role the regions that may take it, the preferred one first.
        dma: controllers that copy memory.
        npu: the neural processing unit, if any.
        execution: how tests execute an image.
        console: where a flashed image writes its text, if anywhere.
    """

    file: str
    name: str
    description: str
    core: Core
    clock_hz: int
    interrupts: int
    stack_size_bytes: int
    regions: tuple[Region, ...]
    reservations: tuple[Reservation, ...]
    reserved: tuple[str, ...]
    roles: Mapping[Role, tuple[Region, ...]]
    dma: tuple[DmaController, ...]
    npu: Npu | None
    execution: Execution
    console: Console | None

    @property
    def stack_guard(self) -> Span:
        """The bytes right below the stack that nothing may touch; empty where there is no memory below it anyway.

        The stack grows down and lies at the low end of its region. Unless other memory lies right below, an overflow
        leaves the memory map and faults by itself.
        """
        base = self.roles[Role.STACK][0].free.base
        below_is_memory = any(region.span.contains(base - 1) for region in self.regions)
        guarded = below_is_memory and self.core.mpu is not MpuKind.NONE
        return Span(base, base + STACK_GUARD_BYTES) if guarded else Span(base, base)

    @property
    def vector_table(self) -> Span:
        """The bytes of the vector table: a word for the stack, fifteen exceptions, the interrupts."""
        base = self.roles[Role.CODE][0].free.base
        return Span(base, base + 4 * (16 + self.interrupts))
