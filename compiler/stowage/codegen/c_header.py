# SPDX-License-Identifier: Apache-2.0
"""`<model>.h`: the manual of a model. Sizes, types, scales, alignment, how to call it."""

from __future__ import annotations

from stowage.codegen.c_fed_input import feed_failure, feeding, order_of_rows, row_header, row_sizes
from stowage.codegen.c_file import banner, comment, guarded, in_comment
from stowage.codegen.c_further_arenas import further_sizes, run_arguments, run_parameters
from stowage.codegen.program import FedInput, Port, Program
from stowage.ir.dtype import DType
from stowage.ir.tensor_type import TensorType

CTYPES = {
    DType.F16: "uint16_t",
    DType.F32: "float",
    DType.F64: "double",
    DType.I8: "int8_t",
    DType.I16: "int16_t",
    DType.I32: "int32_t",
    DType.I64: "int64_t",
    DType.U8: "uint8_t",
    DType.U16: "uint16_t",
    DType.U32: "uint32_t",
    DType.U64: "uint64_t",
    DType.BOOL: "uint8_t",
}
"""The C type of one element in the arena."""


def model_header(program: Program) -> str:
    """The text of `<model>.h`."""
    upper = program.name.upper()
    parts = [
        f'#include <stdint.h>\n\n#include "stowage/model.h"\n{row_header(program)}',
        _manual(program),
        _arena(program),
        *(_port(program, "input", port) for port in program.inputs),
        *([] if program.fed is None else [_fed(program, program.fed)]),
        *(_port(program, "output", port) for port in program.outputs),
        *(_port(program, "state", state.held) for state in program.states),
        *([_reset(program)] if program.states else []),
        _entry(program),
    ]
    return banner(program.name, "how to run it") + guarded(f"{upper}_H", "\n".join(parts))


def arena_name(program: Program) -> str:
    """The C name of the arena that the image has for the model."""
    return f"{arena_owner(program)}_arena"


def arena_owner(program: Program) -> str:
    """The program itself, its pool, or the model that it is one size of."""
    if program.share is not None:
        return program.share.pool
    return program.name if program.variant is None else program.variant.model


def _manual(program: Program) -> str:
    name, arena = program.name, arena_name(program)
    return comment(
        [
            "How to run it, with the arena that comes with the model or any other of its size and alignment:",
            "",
            *([f"    {name}_reset({arena});    (once, before the first run)"] if program.states else []),
            *_filling(program),
            *feeding(program),
            f"    if ({name}_run({run_arguments(program, arena)}) != STW_OK) {{ ... }}",
            *_reading(program),
            "",
            *order_of_rows(program),
            "Inputs are used up by a run: their bytes may hold other tensors afterwards. Outputs stay until",
            "the next run or until the caller writes the inputs, since both may share bytes with anything that",
            *(_KEPT if program.states else _NOT_KEPT),
            *_shared(program),
        ]
    )


_NOT_KEPT = ("lives at another time. Nothing is kept between runs, and one arena serves one run at a time.",)
_KEPT = (
    "lives at another time. States are kept between runs: leave their bytes alone, or read and write them to",
    "save and restore a stream. One arena serves one stream.",
)


def _shared(program: Program) -> list[str]:
    """Which header tells of those with whom it shares its arena."""
    if program.share is not None:
        return [f"Other models share its arena: {program.share.pool}.h says what stays where."]
    if program.variant is not None:
        model, size = program.variant.model, in_comment(program.variant.title)
        return [f"It is {model} at {size}: {model}.h runs any of its sizes."]
    return []


def _filling(program: Program) -> list[str]:
    """How the first input, if there is one, gets its data."""
    if not program.inputs:
        return []
    name, source = program.name, program.inputs[0].identifier
    return [
        f"    memcpy({name}_input_{source}({arena_name(program)}), data,",
        f"           {name.upper()}_INPUT_{source.upper()}_BYTES);",
    ]


def _reading(program: Program) -> list[str]:
    """Where the first output, if there is one, is."""
    if not program.outputs:
        return []
    name, result = program.name, program.outputs[0]
    ctype = CTYPES[result.value.type.dtype]
    return [f"    const {ctype} *result = {name}_output_{result.identifier}({arena_name(program)});"]


def _arena(program: Program) -> str:
    """Size and alignment, and the declaration of the default arena, which is in its owner's header."""
    sizes = arena_sizes(program.name, program.arena_bytes, program.alignment_bytes)
    text = f"/* Bytes that a run needs, and the alignment of the first of them. */\n{sizes}"
    own = f"{text}\n{default_arena(program.name)}" if arena_owner(program) == program.name else text
    return own + further_sizes(program)


def default_arena(name: str) -> str:
    """The declaration of the arena of a model or a pool."""
    return (
        f"/* An arena in the board's region for arenas; it is in the image only if it is used. */\n"
        f"extern unsigned char {name}_arena[{name.upper()}_ARENA_BYTES];\n"
    )


def arena_sizes(name: str, arena_bytes: int, alignment_bytes: int) -> str:
    """The macros with size and alignment of the arena of a model or a pool."""
    upper = name.upper()
    return (
        f"#define {upper}_ARENA_BYTES {max(1, arena_bytes)}u\n"
        f"#define {upper}_ARENA_ALIGNMENT_BYTES {alignment_bytes}u\n"
    )


def _port(program: Program, direction: str, port: Port) -> str:
    dtype = CTYPES[port.value.type.dtype]
    macro = f"{program.name}_{direction}_{port.identifier}".upper()
    const = "const " if direction == "output" else ""
    return (
        f'/* The {direction} "{in_comment(port.value.name)}": {describe(port.value.type)}. */\n'
        + f"#define {macro}_OFFSET {port.offset_bytes}u\n"
        + f"#define {macro}_ELEMENTS {port.value.type.elements}u\n"
        + f"#define {macro}_BYTES {port.value.type.size_bytes}u\n"
        + quant_macros(macro, port.value.type)
        + f"\nstatic inline {const}{dtype} *{program.name}_{direction}_{port.identifier}({const}void *arena)\n{{\n"
        + f"    return ({const}{dtype} *)(({const}unsigned char *)arena + {macro}_OFFSET);\n}}\n"
    )


def _fed(program: Program, fed: FedInput) -> str:
    macro = f"{program.name}_input_{fed.identifier}".upper()
    height, width, channels = fed.value.type.shape[1:]
    size = f"{height}, each of {width} pixels, each of {channels} channel{'s' if channels > 1 else ''}"
    return (
        f'/* The input "{in_comment(fed.value.name)}": {describe(fed.value.type)}.\n'
        f" * It comes by rows: {size}.\n"
        " * ROWS_READ of them are asked for, ROWS_AT_ONCE at the most at once. */\n"
        + row_sizes(program, fed)
        + quant_macros(macro, fed.value.type)
    )


def quant_macros(macro: str, type_: TensorType) -> str:
    """Scale and zero point of a quantised tensor."""
    if type_.quant is None or type_.quant.axis is not None:
        return ""
    scale = f"{type_.quant.scale!r}f"
    return f"#define {macro}_SCALE {scale}\n#define {macro}_ZERO_POINT ({type_.quant.zero_point})\n"


def describe(type_: TensorType) -> str:
    """Type and shape for people, and what real an integer stands for."""
    shape = "x".join(map(str, type_.shape)) or "scalar"
    text = f"{CTYPES[type_.dtype]} {shape}"
    if type_.dtype is DType.F16:
        text += ", each the bits of an IEEE 754 binary16 number (stowage/core/half.h converts)"
    if type_.quant is not None and type_.quant.axis is None:
        text += f", real = {type_.quant.scale!r} * (integer - ({type_.quant.zero_point}))"
    return text


def _reset(program: Program) -> str:
    """What is said of the states, and the declaration of what begins a stream."""
    pairs = [
        f' *   "{in_comment(state.held.value.name)}" is in each run what "{in_comment(state.output)}" was in the last, '
        f"and {state.initial} at first\n"
        for state in program.states
    ]
    return (
        "/* Begins a stream: gives every element of every state its initial value, without which there is no run.\n"
        f" * STW_BAD_ARENA where the arena is null or misaligned.\n *\n{''.join(pairs)} */\n"
        f"enum stw_status {program.name}_reset(void *arena);\n\n"
        f"/* For code that serves any model: there is a {program.name}_reset. */\n"
        f"#define {program.name.upper()}_HAS_STATE 1\n"
    )


def _entry(program: Program) -> str:
    name, arena = program.name, "an arena" if program.further_arenas else "the arena"
    return (
        f"/* Names, types and places of inputs and outputs as data, for code that serves any model. */\n"
        f"extern const struct stw_model {name}_model;\n\n"
        f"/* Computes the outputs from the inputs, both in the arena.\n"
        f" * STW_BAD_ARENA where {arena} is null or misaligned.{_failure(program)}{feed_failure(program)} */\n"
        f"enum stw_status {name}_run({run_parameters(program)});\n"
    )


def _failure(program: Program) -> str:
    npu = any(call.may_fail and not call.asks_for_rows for call in program.calls)
    causes = [
        *(["the NPU reports an error"] if npu else []),
        *(["a copy of weights fails"] if program.transfers else []),
    ]
    if not causes:
        return ""
    return f"\n * STW_DEVICE_ERROR where {' or '.join(causes)}; the outputs are any then, and the next run is whole."
