# SPDX-License-Identifier: Apache-2.0
"""The fourth level: calls and data with nothing left to decide. C is printed from it, and the plan is proved on it."""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass, field

from stowage.codegen.variant import Variant
from stowage.ir.graph import Array, Value
from stowage.memory.plan import FurtherArena, FurtherArenas
from stowage.memory.share import Share
from stowage.target.kernels.feed_rows import FEED_HEADER
from stowage.target.kernels.kernel import Overlap, ParameterValue
from stowage.target.kernels.npu import NPU_HEADER


class Access(enum.Enum):
    """What a call does with the bytes under a pointer."""

    READ = "read"
    WRITE = "write"
    SCRATCH = "scratch"
    STAGED = "staged"


@dataclass(frozen=True, slots=True)
class ArenaPointer:
    """A pointer into the arena.

    Attributes:
        buffer: the tensor or scratch that lies there, which names the offset's macro.
        offset_bytes: from the start of the arena.
        size_bytes: how many bytes the kernel may touch from there.
        access: what it does with them.
        operand: which of the operator's inputs (READ), outputs (WRITE), scratch buffers (SCRATCH) or constants (STAGED:
            read where a transfer has brought it) it is.
        ctype: C element type.
    """

    buffer: str
    offset_bytes: int
    size_bytes: int
    access: Access
    operand: int
    ctype: str

    @property
    def end_bytes(self) -> int:
        """The offset of the first byte that the kernel may not touch."""
        return self.offset_bytes + self.size_bytes


@dataclass(frozen=True, slots=True)
class DataPointer:
    """A pointer to constant data."""

    symbol: str
    ctype: str


Pointer = ArenaPointer | DataPointer


@dataclass(frozen=True, slots=True)
class Datum:
    """A constant array in flash.

    Attributes:
        symbol: its C name.
        role: what it is to its first reader ("weights", "bias", …).
        ctype: C element type.
        digest: key of its bytes in the program's table.
        owner: whose files define it, if it is stored once for several programs: the pool, or the model of several
            sizes; None where it is the program's own.
        region: the board's region where it lies, or None for the preferred one for weights.
    """

    symbol: str
    role: str
    ctype: str
    digest: str
    owner: str | None = None
    region: str | None = None


@dataclass(frozen=True, slots=True)
class Call:
    """One step: `function(&parameters, pointers…)`.

    Attributes:
        symbol: C name of the step's own function.
        summary: operator and shapes, for the comment and the report.
        overlaps: which inputs the output may lie over, and how far.
    """

    symbol: str
    summary: str
    header: str
    function: str
    parameters: tuple[tuple[str, ParameterValue], ...]
    pointers: tuple[Pointer, ...]
    overlaps: tuple[Overlap, ...]

    @property
    def may_fail(self) -> bool:
        """Whether it returns a status: a device computes it, which may report an error, or the caller is asked."""
        return self.header == NPU_HEADER or self.asks_for_rows

    @property
    def asks_for_rows(self) -> bool:
        """Whether it has the caller write rows of an input, who may fail to."""
        return self.header == FEED_HEADER

    @property
    def rows(self) -> int:
        """How many rows of an input it asks the caller for."""
        rows = dict(self.parameters).get("rows", 0) if self.asks_for_rows else 0
        return rows if isinstance(rows, int) else 0


@dataclass(frozen=True, slots=True)
class Port:
    """A model input or output.

    Attributes:
        value: the tensor.
        identifier: the C identifier that users call it by.
        buffer: the buffer whose bytes it is: itself, or what it is a view of.
        offset_bytes: from the start of the arena.
    """

    value: Value
    identifier: str
    buffer: str
    offset_bytes: int


@dataclass(frozen=True, slots=True)
class FedInput:
    """A model input that calls get from the caller row by row.

    Attributes:
        value: the tensor, of which no byte of the arena is.
        identifier: the C identifier that users call it by.
    """

    value: Value
    identifier: str


@dataclass(frozen=True, slots=True)
class StatePort:
    """What a model keeps from run to run.

    Attributes:
        held: the input; a run finds in its bytes what the last run left there.
        kept: the output that is made over these bytes.
        output: what the model calls that output.
        initial: what every element is before the first run: the integer, or the real number, of zero.
    """

    held: Port
    kept: Port
    output: str
    initial: int


@dataclass(frozen=True, slots=True)
class Slot:
    """A buffer of the arena, for the header of offsets.

    Attributes:
        macro: name of its offset's macro.
        buffer: the tensor or scratch.
        first: moment of its first byte (0 is before the first step).
        last: moment of its last use.
    """

    macro: str
    buffer: str
    offset_bytes: int
    size_bytes: int
    first: int
    last: int


@dataclass(frozen=True, slots=True)
class Joint:
    """Buffers that lie side by side and are one from the end of a call on.

    Attributes:
        whole: the buffer that they are then.
        parts: the buffers, in the order of their addresses.
        moment: of the call that makes the last of them.
    """

    whole: str
    parts: tuple[str, ...]
    moment: int


@dataclass(frozen=True, slots=True)
class Transfer:
    """A copy of constant data into the arena that runs beside the calls. At a moment all starts come before all waits.

    Attributes:
        buffer: what lies there then, all of it.
        symbol: the data.
        offset_bytes: where in the arena they are brought.
        size_bytes: how many.
        start: moment before whose call the copy starts.
        wait: moment before whose call it has to be done.
    """

    buffer: str
    symbol: str
    offset_bytes: int
    size_bytes: int
    start: int
    wait: int


@dataclass(frozen=True, slots=True)
class Program:
    """A model, ready to be printed as C.

    Attributes:
        name: C identifier of the model.
        inputs: where the caller writes; states are none of them.
        outputs: where the caller reads.
        slots: every buffer.
        arena_bytes: size of the arena.
        alignment_bytes: alignment of its first byte.
        data: constants, each once.
        calls: steps in order.
        constants: arrays by digest.
        states: what is kept between runs.
        share: the pool whose arena it is, or None where the model has it for itself.
        joints: buffers that become one.
        variant: the model of several sizes that it is one of, or None.
        transfers: copies beside the calls, by the moments of their starts.
        transfer_channels: how many of these the board can have in flight.
        cache_line_bytes: of the core's data cache, if it has one and there are transfers: what a transfer brings shares
            no line with anything else. Else 0.
        further: the arenas in other regions, if there are any: what lies from one's start on lies there.
        fed: the input that comes row by row, if one does.
    """

    name: str
    inputs: tuple[Port, ...]
    outputs: tuple[Port, ...]
    slots: tuple[Slot, ...]
    arena_bytes: int
    alignment_bytes: int
    data: tuple[Datum, ...]
    calls: tuple[Call, ...]
    constants: Mapping[str, Array] = field(default_factory=dict, compare=False, repr=False)
    states: tuple[StatePort, ...] = ()
    share: Share | None = None
    joints: tuple[Joint, ...] = ()
    variant: Variant | None = None
    transfers: tuple[Transfer, ...] = ()
    transfer_channels: int = 0
    cache_line_bytes: int = 0
    further: FurtherArenas | None = None
    fed: FedInput | None = None

    @property
    def further_arenas(self) -> tuple[FurtherArena, ...]:
        """The arenas beside the main one, in the order of their offsets."""
        return () if self.further is None else self.further.arenas

    @property
    def memory_bytes(self) -> int:
        """The end of the last arena."""
        return self.further_arenas[-1].end_bytes if self.further_arenas else self.arena_bytes

    def arena_of(self, offset_bytes: int) -> FurtherArena | None:
        """The further arena that an offset is in; None where it is the main one."""
        return next((each for each in reversed(self.further_arenas) if offset_bytes >= each.start_bytes), None)

    def local_bytes(self, offset_bytes: int) -> int:
        """An offset counted from the start of its own arena."""
        arena = self.arena_of(offset_bytes)
        return offset_bytes if arena is None else offset_bytes - arena.start_bytes

    def slots_in(self, arena: FurtherArena | None) -> tuple[Slot, ...]:
        """The buffers of a further arena, or of the main one."""
        return tuple(slot for slot in self.slots if self.arena_of(slot.offset_bytes) == arena)
