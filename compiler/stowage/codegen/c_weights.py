# SPDX-License-Identifier: Apache-2.0
"""`<model>_weights.h` and `.c`: constants in the order in which the kernels read them.

A pool and a model of several sizes have such files too, with the constants that several of their programs read.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from stowage.codegen.c_file import banner, guarded, in_comment, includes
from stowage.codegen.literals import array
from stowage.codegen.program import Datum, Program
from stowage.codegen.shared_data import SharedData, own_data
from stowage.ir.graph import Array


def weights_files(program: Program) -> dict[str, str]:
    """The files with a model's own constants by name; the header also includes those that it shares."""
    others = [f"{datum.owner}_weights.h" for datum in program.data if datum.owner is not None]
    return _files(program.name, tuple(own_data(program)), program.constants, others)


def shared_weights_files(shared: SharedData) -> dict[str, str]:
    """The files with the constants that several programs read."""
    return _files(shared.owner, shared.data, shared.constants, [])


def _files(name: str, data: Sequence[Datum], constants: Mapping[str, Array], headers: Sequence[str]) -> dict[str, str]:
    return {
        f"{name}_weights.h": _header(name, data, constants, headers),
        f"{name}_weights.c": _source(name, data, constants),
    }


def _header(name: str, data: Sequence[Datum], constants: Mapping[str, Array], headers: Sequence[str]) -> str:
    shared = f"{includes(headers)}\n" if headers else ""
    externs = "".join(f"extern {_declarator(datum, constants[datum.digest])};\n" for datum in data)
    body = f"#include <stdint.h>\n\n{shared}{externs}"
    return banner(name, "its constants") + guarded(f"{name.upper()}_WEIGHTS_H", body)


def _source(name: str, data: Sequence[Datum], constants: Mapping[str, Array]) -> str:
    """Each constant is in a section of its own below .stw_weights."""
    head = includes([f"{name}_weights.h", "stowage/core/kernel.h", "stowage/model.h"])
    return banner(name, "its constants") + head + "".join(_definition(each, constants[each.digest]) for each in data)


def _declarator(datum: Datum, values: Array) -> str:
    return f"const {datum.ctype} {datum.symbol}[{max(1, values.size)}]"


def _definition(datum: Datum, values: Array) -> str:
    shape = "x".join(map(str, values.shape)) or "scalar"
    lines = "\n".join(array(values)) if values.size else "    0,"
    return (
        f"\n/* {in_comment(datum.role)}, {shape}, {values.nbytes} bytes */\n"
        f"{_section(datum)}\n{_declarator(datum, values)} = {{\n{lines}\n}};\n"
    ).replace("\n   \n", "\n")


def _section(datum: Datum) -> str:
    if datum.region is None:
        return f'STW_WEIGHTS("{datum.symbol}")'
    return f'STW_WEIGHTS_IN("{datum.region}", "{datum.symbol}")'
