# SPDX-License-Identifier: Apache-2.0
"""Constants that several programs of one image read are stored once, in the files of what unites the programs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from stowage.codegen.identifiers import Names
from stowage.codegen.program import Call, DataPointer, Datum, Pointer, Program
from stowage.codegen.unsound import unsound
from stowage.ir.graph import Array, digest_of

_Key = tuple[str, str]
"""Hash of the bytes, and C element type: what two constants have in common if one may stand for both."""


@dataclass(frozen=True, slots=True)
class SharedData:
    """The constants of several programs.

    Attributes:
        owner: C identifier of the pool or the model of several sizes.
        data: the constants, each once.
        constants: arrays by digest.
    """

    owner: str
    data: tuple[Datum, ...]
    constants: Mapping[str, Array] = field(compare=False, repr=False)

    @property
    def size_bytes(self) -> int:
        """Bytes in flash."""
        return sum(int(self.constants[datum.digest].nbytes) for datum in self.data)


def share_data(programs: Sequence[Program], owner: str) -> tuple[tuple[Program, ...], SharedData]:
    """The programs with those constants that two or more of them read under names of the owner, and these constants.

    Args:
        programs: each with its own constants.
        owner: C identifier of the pool or the model of several sizes.
    """
    readers = Counter(key for program in programs for key in {_key(program, datum) for datum in program.data})
    shared: dict[_Key, Datum] = {}
    constants: dict[str, Array] = {}
    names = Names()
    for program in programs:
        for datum in program.data:
            key = _key(program, datum)
            if readers[key] > 1 and key not in shared:
                symbol = f"{owner}_data_{names.of(datum.symbol.removeprefix(f'{program.name}_data_'))}"
                shared[key] = replace(datum, symbol=symbol, owner=owner)
                constants[datum.digest] = program.constants[datum.digest]
    return (
        tuple(_reading(program, shared) for program in programs),
        SharedData(owner, tuple(shared.values()), constants),
    )


def check_shared_data(programs: Sequence[Program], shared: SharedData) -> None:
    """Compares what programs take to be stored by the owner with what is stored.

    Raises:
        InvalidPlan: names the constant at fault.
    """
    stored = {datum.symbol: datum for datum in shared.data}
    if len(stored) != len(shared.data):
        raise unsound(f'constants of "{shared.owner}"', "two of them have one name")
    for program in programs:
        for datum in program.data:
            _check_datum(program, datum, shared, stored)


def _check_datum(program: Program, datum: Datum, shared: SharedData, stored: Mapping[str, Datum]) -> None:
    where, kept = f'constant "{datum.symbol}"', stored.get(datum.symbol)
    if datum.owner is None:
        if kept is not None:
            raise unsound(where, f'"{program.name}" and "{shared.owner}" both define it')
        return
    if kept is None or (datum.owner, datum.ctype) != (shared.owner, kept.ctype):
        raise unsound(where, f'"{shared.owner}" does not store it as "{program.name}" reads it')
    if program.constants[datum.digest].tobytes() != shared.constants[kept.digest].tobytes():
        raise unsound(where, f'"{program.name}" reads other bytes than are stored')


def own_data(program: Program) -> Iterator[Datum]:
    """The constants that the program's own files define."""
    return (datum for datum in program.data if datum.owner is None)


def _key(program: Program, datum: Datum) -> _Key:
    return digest_of(program.constants[datum.digest].reshape(-1)), datum.ctype


def _reading(program: Program, shared: Mapping[_Key, Datum]) -> Program:
    """The program that reads the shared constants where it read its own."""
    symbols = {datum.symbol: kept.symbol for datum in program.data if (kept := shared.get(_key(program, datum)))}
    owners = {kept.symbol: kept.owner for kept in shared.values()}
    data = (replace(datum, symbol=symbols.get(datum.symbol, datum.symbol)) for datum in program.data)
    return replace(
        program,
        data=tuple(replace(datum, owner=owners.get(datum.symbol)) for datum in data),
        calls=tuple(_calling(call, symbols) for call in program.calls),
    )


def _calling(call: Call, symbols: Mapping[str, str]) -> Call:
    return replace(call, pointers=tuple(_led(pointer, symbols) for pointer in call.pointers))


def _led(pointer: Pointer, symbols: Mapping[str, str]) -> Pointer:
    if isinstance(pointer, DataPointer):
        return replace(pointer, symbol=symbols.get(pointer.symbol, pointer.symbol))
    return pointer
