# SPDX-License-Identifier: Apache-2.0
"""Who calls whom, read from branches: `bl` is a call; a branch out of a function, or falling out of its end, a jump."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from tools.stack.listing import Function, Instruction

_TARGET = re.compile(r"<([^>+]+)(?:\+0x[0-9a-f]+)?>$")
_CONDITIONS = ("eq", "ne", "cs", "cc", "hs", "lo", "mi", "pl", "vs", "vc", "hi", "ls", "ge", "lt", "gt", "le")
_JUMPS = frozenset(["b", "cbz", "cbnz", *(f"b{condition}" for condition in _CONDITIONS)])
_NO_RETURN = re.compile(r"^(b|bx|udf|bkpt|tbb|tbh)$")
Wanted = Callable[[Instruction], bool]


@dataclass(frozen=True, slots=True)
class Calls:
    """Where control goes from one function.

    Attributes:
        calls: functions that it calls.
        jumps: functions that it jumps or falls into.
        indirect: addresses of calls through a register.
    """

    calls: frozenset[str]
    jumps: frozenset[str]
    indirect: tuple[int, ...]


def call_graph(functions: Iterable[Function]) -> Mapping[str, Calls]:
    """The calls of every function; functions at one address under several names are one, under the name listed."""
    listed = tuple(functions)
    following = {a.name: b.name for a, b in zip(listed, listed[1:], strict=False)}
    return {function.name: _calls(function, following.get(function.name)) for function in listed}


def _calls(function: Function, following: str | None) -> Calls:
    calls = frozenset(_targets(function, lambda i: i.mnemonic in ("bl", "blx")))
    jumps = set(_targets(function, lambda i: i.mnemonic in _JUMPS)) - {function.name}
    if following is not None and _falls_through(function):
        jumps.add(following)
    indirect = tuple(i.address for i in function.instructions if _is_indirect(i))
    return Calls(calls, frozenset(jumps), indirect)


def _targets(function: Function, wanted: Wanted) -> Iterator[str]:
    for instruction in function.instructions:
        if wanted(instruction) and (target := _TARGET.search(instruction.operands)):
            yield target[1]


def _is_indirect(instruction: Instruction) -> bool:
    """A call or jump through a register; `bx lr` is a return."""
    if instruction.mnemonic == "blx":
        return _TARGET.search(instruction.operands) is None
    return instruction.mnemonic == "bx" and instruction.operands not in ("lr",)


def _falls_through(function: Function) -> bool:
    body = list(function.instructions)
    while body and _is_padding(body[-1]):
        body.pop()
    if not body:
        return True
    last = body[-1]
    returns = last.mnemonic.startswith(("pop", "ldm")) and "pc" in last.operands
    loads_pc = last.mnemonic.startswith(("ldr", "mov")) and last.operands.startswith("pc,")
    return not (returns or loads_pc or _NO_RETURN.match(last.mnemonic) or last.mnemonic == "bl")


def _is_padding(instruction: Instruction) -> bool:
    """What fills the gap in front of the next function: nop, or zeros, which disassemble as `movs r0, r0`."""
    return instruction.mnemonic == "nop" or (instruction.mnemonic, instruction.operands) == ("movs", "r0, r0")
