# SPDX-License-Identifier: Apache-2.0
"""Who calls whom, read from branches; functions are known by their address, as names need not be unique.

`bl` to a function's first instruction is a call. A branch out of a function, or falling out of its end, is a jump; so
is `bl` into the function's own middle, which Armv6-M code uses where `b` does not reach. A call or jump through a
register is resolved where the register holds a literal (veneers, handlers written in assembly).
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from tools.stack.listing import Function, Instruction
from tools.stack.register_value import literal_value, register_value

_TARGET = re.compile(r"\b([0-9a-f]+) <[^>]*>$")
_CALLS = frozenset(["bl", "blx"])
_JUMPS = frozenset(["b", "cbz", "cbnz", "le", "wls"])
_ENDS = frozenset(["b", "bl", "bx", "udf", "bkpt", "tbb", "tbh"])


@dataclass(frozen=True, slots=True)
class Calls:
    """Where control goes from one function.

    Attributes:
        calls: addresses of functions that it calls.
        jumps: addresses of functions that it jumps or falls into.
        unknown: addresses of instructions that go nobody knows where.
    """

    calls: frozenset[int]
    jumps: frozenset[int]
    unknown: tuple[int, ...]


@dataclass(slots=True)
class _Found:
    calls: set[int] = field(default_factory=set)
    jumps: set[int] = field(default_factory=set)
    unknown: list[int] = field(default_factory=list)


def call_graph(functions: Iterable[Function]) -> Mapping[int, Calls]:
    """The calls of every function, both by address; functions in the order of their addresses."""
    listed = tuple(functions)
    following = {a.address: b.address for a, b in pairwise(listed)}
    return {function.address: _calls(function, listed, following.get(function.address)) for function in listed}


def _calls(function: Function, listed: Sequence[Function], following: int | None) -> Calls:
    found = _Found()
    for instruction in function.instructions:
        _follow(function, instruction, listed, found)
    if following is not None and _falls_through(function):
        found.jumps.add(following)
    return Calls(frozenset(found.calls), frozenset(found.jumps - {function.address}), tuple(found.unknown))


def _follow(function: Function, instruction: Instruction, listed: Sequence[Function], found: _Found) -> None:
    """Adds where one instruction goes, if it goes anywhere but on."""
    if not _branches(instruction):
        return
    target = _target(function, instruction)
    owner = None if target is None else _owner(listed, target)
    if owner is None or target is None:
        found.unknown.append(instruction.address)
    elif instruction.mnemonic in _CALLS and not (owner == function.address and target != owner):
        found.calls.add(owner)
    else:
        found.jumps.add(owner)


def _branches(instruction: Instruction) -> bool:
    """Whether it goes elsewhere; returns and tables of a `switch`, which stay within the function, do not count."""
    if instruction.mnemonic == "bx":
        return instruction.operands != "lr"
    if instruction.mnemonic == "ldr":
        return instruction.operands.startswith("pc, [") and not re.match(r"pc, \[(sp\]|pc, r)", instruction.operands)
    return instruction.mnemonic in _CALLS | _JUMPS


def _target(function: Function, instruction: Instruction) -> int | None:
    if match := _TARGET.search(instruction.operands):
        return int(match[1], 16)
    if instruction.mnemonic == "ldr":
        value = literal_value(function, instruction)
    else:
        value = register_value(function, instruction, instruction.operands)
    return None if value is None else value & ~1


def _owner(listed: Sequence[Function], address: int) -> int | None:
    """The function that has an instruction at or before the address and another at or behind it."""
    index = bisect_right(listed, address, key=lambda function: function.address)
    function = listed[index - 1] if index else None
    if function is None or not function.instructions or function.instructions[-1].address < address:
        return None
    return function.address


def _falls_through(function: Function) -> bool:
    body = [i for i in function.instructions if not _is_padding(i)]
    if not body:
        return False
    last = body[-1]
    returns = last.mnemonic in ("pop", "ldm", "ldmia", "ldmdb") and "pc" in last.operands
    loads_pc = last.mnemonic in ("ldr", "mov") and last.operands.startswith("pc,")
    return last.conditional or not (returns or loads_pc or last.mnemonic in _ENDS)


def _is_padding(instruction: Instruction) -> bool:
    """What an assembler or linker fills gaps with: `nop`, or zeros, which read as a move to itself."""
    return instruction.mnemonic == "nop" or (instruction.mnemonic, instruction.operands) == ("movs", "r0, r0")
