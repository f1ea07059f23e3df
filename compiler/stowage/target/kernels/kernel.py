# SPDX-License-Identifier: Apache-2.0
"""What the compiler knows of a runtime kernel: the C function, its parameters, its data, its scratch, what may overlap.

A *lowering* turns one graph node into one `KernelCall`; the modules beside this one hold the lowerings of one operator
family each, `catalogue.py` the table of all. The call is complete: memory planning needs its scratch and overlaps, code
generation its names and values, and nothing is decided later.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

from stowage.ir.graph import Arithmetic, Array, Node, digest_of

ParameterValue = int | float | tuple[int, ...] | tuple[float, ...]


class Direction(enum.Enum):
    """Which way a kernel walks over its output's addresses."""

    FORWARD = "forward"
    BACKWARD = "backward"


FORWARD = ("backward", 0)
"""The parameter of a kernel that can walk either way, as its lowering states it."""


@dataclass(frozen=True, slots=True)
class Overlap:
    """The output may lie over an input that dies here.

    Walking forward, the output's first byte must lie at least `distance_bytes` below the input's first byte (0: they
    may be the same bytes); walking backward, the output's end at least that far above the input's end. Several overlaps
    of one call hold at once, save those of the two directions of a kernel that walks as it is told.

    Attributes:
        input: index into the node's inputs.
        distance_bytes: the safe distance, exact: one byte less would read a byte already written. It is 0 where the
            kernel could stand less than that.
        direction: the traversal for which it holds.
    """

    input: int
    distance_bytes: int
    direction: Direction = Direction.FORWARD


class Place(enum.Enum):
    """Where a pointer argument of a kernel points."""

    INPUT = "input"
    OUTPUT = "output"
    SCRATCH = "scratch"
    CONSTANT = "constant"


@dataclass(frozen=True, slots=True)
class Argument:
    """One pointer argument: `index` counts within the node's inputs or outputs, the call's scratch or its constants."""

    place: Place
    index: int
    ctype: str
    """C element type, for instance "int8_t" or "float"."""


@dataclass(frozen=True, slots=True, eq=False)
class KernelConstant:
    """Data of a call in the form that the kernel reads: `role` names it in the generated C ("weights", "bias", …).

    Two are equal where role and content hash are.
    """

    role: str
    array: Array

    def __eq__(self, other: object) -> bool:
        return isinstance(other, KernelConstant) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, str]:
        return self.role, digest_of(self.array)


@dataclass(frozen=True, slots=True)
class KernelCall:
    """A call `function(&parameters, argument, …)` of a runtime kernel.

    Attributes:
        header: what the generated C includes, for instance "stowage/kernels/conv2d_s8.h".
        function: the C function; its parameters are a `struct <function>_params`.
        parameters: fields of that struct, in its order, all known at build time.
        arguments: pointers, in the function's order.
        constants: what CONSTANT arguments point at.
        scratch_bytes: size of each SCRATCH argument's buffer (aligned to `scratch_alignment_bytes`).
        overlaps: inputs that the output may lie over. A kernel with the parameter `backward` states both directions;
            which one holds, for all of its inputs, is up to the plan, and `walking` tells the kernel.
    """

    header: str
    function: str
    parameters: tuple[tuple[str, ParameterValue], ...]
    arguments: tuple[Argument, ...]
    constants: tuple[KernelConstant, ...] = ()
    scratch_bytes: tuple[int, ...] = ()
    scratch_alignment_bytes: int = 8
    overlaps: tuple[Overlap, ...] = ()

    def walking(self, direction: Direction) -> KernelCall:
        """The call with its walk chosen: only the overlaps of that direction hold. Nothing to choose in most calls."""
        if FORWARD not in self.parameters:
            return self
        chosen = (FORWARD[0], int(direction is Direction.BACKWARD))
        parameters = tuple(chosen if each == FORWARD else each for each in self.parameters)
        overlaps = tuple(overlap for overlap in self.overlaps if overlap.direction is direction)
        return replace(self, parameters=parameters, overlaps=overlaps)


@dataclass(frozen=True, slots=True)
class Site:
    """What a lowering may look at beside the node.

    Attributes:
        constants: arrays of those inputs of the node that are constant, by value name.
        arithmetic: whose integer rounding is kept.
        features: those of the core that kernels look at ("fpu", "dsp", "mve", "thumb1").
    """

    constants: Mapping[str, Array]
    arithmetic: Arithmetic
    features: frozenset[str] = frozenset()


Lowering = Callable[[Node, Site], KernelCall]
"""Raises NoKernel where no kernel takes such operands."""


class NoKernel(Exception):
    """No kernel for a node; the message is the reason, which the scheduler makes into an UnsupportedModel."""
