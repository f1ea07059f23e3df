# SPDX-License-Identifier: Apache-2.0
"""The functions of a model's steps: one each, and one more for steps that do the same in different places.

The stripes of a layer that runs in stripes, and layers of one shape, differ in where tensors and constants lie and in
nothing else. Their kernel is compiled once, with pointers as arguments; what is left of such a step is a call.
"""

from __future__ import annotations

from collections.abc import Sequence

from stowage.codegen.c_fed_input import SOURCE
from stowage.codegen.c_file import in_comment
from stowage.codegen.c_further_arenas import arenas_of, base_of
from stowage.codegen.literals import parameter
from stowage.codegen.program import Access, ArenaPointer, Call, Pointer, Program

_Kind = tuple[object, ...]
_ROLES = {Access.READ: "input", Access.WRITE: "output", Access.SCRATCH: "scratch", Access.STAGED: "staged"}
_READ = (Access.READ, Access.STAGED)


def steps(program: Program) -> list[str]:
    """The text of every step's function, in order."""
    macros = {slot.buffer: (slot.macro, slot.offset_bytes) for slot in program.slots}
    alike: dict[_Kind, list[Call]] = {}
    for call in program.calls:
        alike.setdefault(_kind(call), []).append(call)
    return [_text(program, call, alike[_kind(call)], macros) for call in program.calls]


def _kind(call: Call) -> _Kind:
    """What calls have in common that may share their kernel: all but places."""
    return call.header, call.function, call.parameters, tuple(map(_argument, enumerate(call.pointers)))


def _text(program: Program, call: Call, alike: Sequence[Call], macros: dict[str, tuple[str, int]]) -> str:
    places = [_place(program, pointer, macros) for pointer in call.pointers]
    arenas = ", ".join(f"unsigned char *{name}" for name in arenas_of(program, call))
    comment = f"/* {in_comment(call.summary)} */\n"
    source = f", {SOURCE}" if call.asks_for_rows else ""
    signature = f"static {_result(call)} {call.symbol}({arenas}{source})"
    if len(alike) == 1:
        return comment + _kernel(call, signature, places)
    step = f"{comment}{signature}\n{{\n    {_return(call)}{alike[0].symbol}_shared({_lines(places)});\n}}\n"
    return f"{_shared(call, len(alike))}\n{step}" if call is alike[0] else step


def _shared(call: Call, sharers: int) -> str:
    """The function that calls alike share, named for the first of them."""
    arguments = [_argument(each) for each in enumerate(call.pointers)]
    signature = (
        f"STW_SHARED {_result(call)} {call.symbol}_shared({_lines([f'{ctype}{name}' for ctype, name in arguments])})"
    )
    comment = f"/* What {sharers} steps do, each in places of its own. */\n"
    return comment + _kernel(call, signature, [name for _, name in arguments])


def _kernel(call: Call, signature: str, pointers: Sequence[str]) -> str:
    fields = "".join(f"        .{field} = {parameter(value)},\n" for field, value in call.parameters)
    source = " rows," if call.asks_for_rows else ""
    return (
        f"{signature}\n{{\n"
        f"    static const struct {call.function}_params params = {{\n{fields}    }};\n\n"
        f"    {_return(call)}{call.function}(&params,{source}{_lines(pointers)});\n}}\n"
    )


def _result(call: Call) -> str:
    return "enum stw_status" if call.may_fail else "void"


def _return(call: Call) -> str:
    return "return " if call.may_fail else ""


def _lines(arguments: Sequence[str]) -> str:
    return ",".join(f"\n        {argument}" for argument in arguments)


def _argument(numbered: tuple[int, Pointer]) -> tuple[str, str]:
    """Type and name of an argument in a pointer's place: its operand where it has one, else its number."""
    number, pointer = numbered
    if isinstance(pointer, ArenaPointer):
        return f"{_ctype(pointer)} *", f"{_ROLES[pointer.access]}_{pointer.operand}"
    return f"const {pointer.ctype} *", f"constant_{number}"


def _ctype(pointer: ArenaPointer) -> str:
    return f"const {pointer.ctype}" if pointer.access in _READ else pointer.ctype


def _place(program: Program, pointer: Pointer, macros: dict[str, tuple[str, int]]) -> str:
    if not isinstance(pointer, ArenaPointer):
        return pointer.symbol
    macro, offset_bytes = macros[pointer.buffer]
    within = f" + {pointer.offset_bytes - offset_bytes}u" if pointer.offset_bytes != offset_bytes else ""
    return f"({_ctype(pointer)} *)({base_of(program, offset_bytes)} + {macro}{within})"
