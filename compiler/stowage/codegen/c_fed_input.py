# SPDX-License-Identifier: Apache-2.0
"""What a model whose input is fed by rows has more in its C: an argument of its run, and what is said of it."""

from __future__ import annotations

from stowage.codegen.program import FedInput, Program

SOURCE = "const struct stw_row_source *rows"
"""The parameter of runs and steps that ask for rows."""


def row_header(program: Program) -> str:
    """What the model's header includes more."""
    return "" if program.fed is None else '#include "stowage/rows.h"\n'


def checked_source(program: Program) -> str:
    """The check of the run's last argument."""
    if program.fed is None:
        return ""
    return "    if (rows == NULL || rows->read == NULL) {\n        return STW_INPUT_ERROR;\n    }\n"


def feeding(program: Program) -> list[str]:
    """How a caller says where rows come from."""
    if program.fed is None:
        return []
    return ["    const struct stw_row_source source = {.read = read_rows, .context = &camera};"]


def order_of_rows(program: Program) -> list[str]:
    """When the caller's function is called."""
    if program.fed is None:
        return []
    return [
        f'The input "{program.fed.identifier}" comes by rows and never is whole. A run calls',
        "",
        "    int read_rows(void *context, uint32_t first_row, uint32_t row_count, void *destination)",
        "",
        "when it needs rows: for each once, from the first to the last that a layer reads, with source.context. It",
        "writes them to destination, one behind the other, may wait for them, and returns 0; else the run ends",
        "(stowage/rows.h).",
        "",
    ]


def row_sizes(program: Program, fed: FedInput) -> str:
    """The macros with the numbers and sizes of rows."""
    macro, type_ = f"{program.name}_input_{fed.identifier}".upper(), fed.value.type
    asked = [call.rows for call in program.calls]
    rows = type_.shape[1]
    return (
        f"#define {macro}_ROWS {rows}u\n"
        f"#define {macro}_ROWS_READ {sum(asked)}u\n"
        f"#define {macro}_ROW_ELEMENTS {type_.elements // rows}u\n"
        f"#define {macro}_ROW_BYTES {type_.size_bytes // rows}u\n"
        f"#define {macro}_ROWS_AT_ONCE {max(asked)}u\n"
    )


def feed_failure(program: Program) -> str:
    """What the run returns where rows do not come."""
    if program.fed is None:
        return ""
    return (
        "\n * STW_INPUT_ERROR where there is no source, or it returns anything but 0; the outputs are any then, and the"
        "\n * next run is whole."
    )
