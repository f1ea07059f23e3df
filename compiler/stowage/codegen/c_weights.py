# SPDX-License-Identifier: Apache-2.0
"""`<model>_weights.h` and `.c`: constants in the order in which the kernels read them."""

from __future__ import annotations

from stowage.codegen.c_file import banner, guarded, in_comment, includes
from stowage.codegen.literals import array
from stowage.codegen.program import Datum, Program


def weights_header(program: Program) -> str:
    """The text of `<model>_weights.h`."""
    body = "#include <stdint.h>\n\n" + "".join(f"extern {_declarator(program, datum)};\n" for datum in program.data)
    return banner(program.name, "its constants") + guarded(f"{program.name.upper()}_WEIGHTS_H", body)


def weights_source(program: Program) -> str:
    """The text of `<model>_weights.c`; each constant is in a section of its own below .stw_weights."""
    head = includes([f"{program.name}_weights.h", "stowage/core/kernel.h", "stowage/model.h"])
    return banner(program.name, "its constants") + head + "".join(_definition(program, datum) for datum in program.data)


def _declarator(program: Program, datum: Datum) -> str:
    return f"const {datum.ctype} {datum.symbol}[{max(1, program.constants[datum.digest].size)}]"


def _definition(program: Program, datum: Datum) -> str:
    values = program.constants[datum.digest]
    shape = "x".join(map(str, values.shape)) or "scalar"
    lines = "\n".join(array(values)) if values.size else "    0,"
    return (
        f"\n/* {in_comment(datum.role)}, {shape}, {values.nbytes} bytes */\n"
        f'STW_WEIGHTS("{datum.symbol}")\n{_declarator(program, datum)} = {{\n{lines}\n}};\n'
    ).replace("\n   \n", "\n")
