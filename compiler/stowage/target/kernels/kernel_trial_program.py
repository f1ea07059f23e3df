# SPDX-License-Identifier: Apache-2.0
"""Test support: the C program that runs a batch of kernel calls on buffers that it reads from its standard input."""

from __future__ import annotations

from collections.abc import Sequence

from stowage.codegen.literals import array, parameter
from stowage.target.kernels.kernel import Argument, KernelCall, ParameterValue, Place

_CTYPES = {
    "int8": "int8_t",
    "uint8": "uint8_t",
    "int16": "int16_t",
    "uint16": "uint16_t",
    "int32": "int32_t",
    "uint32": "uint32_t",
    "int64": "int64_t",
    "uint64": "uint64_t",
    "bool": "uint8_t",
    "float32": "float",
    "float64": "double",
}

_PRELUDE = """\
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 32 };

struct trial {
    unsigned char *blocks[MOST];
    size_t bytes[MOST];
    unsigned char *arguments[MOST];
    int64_t count;
};

static void read_all(void *to, size_t bytes)
{
    if (fread(to, 1, bytes, stdin) != bytes) {
        exit(3);
    }
}

static int64_t next_integer(void)
{
    int64_t value;
    read_all(&value, sizeof value);
    return value;
}

static inline double next_real(void)
{
    double value;
    read_all(&value, sizeof value);
    return value;
}

static inline int more(void)
{
    const int next = getchar();
    return next != EOF && ungetc(next, stdin) != EOF;
}

static void begin(struct trial *trial)
{
    int64_t argument;

    trial->count = next_integer();
    for (int64_t i = 0; i < trial->count; i++) {
        trial->bytes[i] = (size_t)next_integer();
        trial->blocks[i] = malloc(trial->bytes[i]);
        read_all(trial->blocks[i], trial->bytes[i]);
    }
    while ((argument = next_integer()) >= 0) {
        unsigned char *block = trial->blocks[next_integer()];
        trial->arguments[argument] = block + next_integer();
    }
}

static void end(struct trial *trial)
{
    for (int64_t i = 0; i < trial->count; i++) {
        if (fwrite(trial->blocks[i], 1, trial->bytes[i], stdout) != trial->bytes[i]) {
            exit(4);
        }
        free(trial->blocks[i]);
    }
}
"""


def trial_program(calls: Sequence[KernelCall], *, specialise: bool) -> str:
    """The program's text: a function a call where they are specialised, else one function that runs them all."""
    includes = "".join(f'#include "{header}"\n' for header in sorted({call.header for call in calls}))
    if specialise:
        functions = "\n".join(_specialised(index, call) for index, call in enumerate(calls))
        body = "".join(f"    trial_{index}(&trial);\n" for index in range(len(calls)))
    else:
        assert len({_signature(call) for call in calls}) == 1, "trials that are not specialised call one function"
        functions = _generic(calls[0])
        body = "    while (more()) {\n        run(&trial);\n    }\n"
    main = f"int main(void)\n{{\n    static struct trial trial;\n\n{body}    return 0;\n}}\n"
    return f"{includes}{_PRELUDE}\n{functions}\n{main}"


def _signature(call: KernelCall) -> tuple[object, ...]:
    fields = tuple((name, len(value) if isinstance(value, tuple) else 0) for name, value in call.parameters)
    return call.function, fields, call.arguments


def _specialised(index: int, call: KernelCall) -> str:
    data = "".join(
        f"static const {_CTYPES[constant.array.dtype.name]} data_{index}_{number}[] = {{\n"
        + "\n".join(array(constant.array))
        + "\n};\n"
        for number, constant in enumerate(call.constants)
    )
    fields = "".join(f"        .{name} = {parameter(value)},\n" for name, value in call.parameters)
    pointers = "".join(
        f", data_{index}_{argument.index}" if argument.place is Place.CONSTANT else _pointer(number, argument)
        for number, argument in enumerate(call.arguments)
    )
    return (
        f"{data}static void trial_{index}(struct trial *trial)\n{{\n"
        f"    static const struct {call.function}_params params = {{\n{fields}    }};\n\n"
        f"    begin(trial);\n    {call.function}(&params{pointers});\n    end(trial);\n}}\n"
    )


def _generic(call: KernelCall) -> str:
    fields = "".join(_assignments(name, value) for name, value in call.parameters)
    pointers = "".join(_pointer(number, argument) for number, argument in enumerate(call.arguments))
    return (
        f"static void run(struct trial *trial)\n{{\n    struct {call.function}_params params;\n\n"
        f"    memset(&params, 0, sizeof params);\n{fields}"
        f"    begin(trial);\n    {call.function}(&params{pointers});\n    end(trial);\n}}\n"
    )


def _assignments(name: str, value: ParameterValue) -> str:
    places = [f"{name}[{k}]" for k in range(len(value))] if isinstance(value, tuple) else [name]
    first = value[0] if isinstance(value, tuple) else value
    source = "(float)next_real()" if isinstance(first, float) else "(int32_t)next_integer()"
    return "".join(f"    params.{place} = {source};\n" for place in places)


def _pointer(number: int, argument: Argument) -> str:
    const = "" if argument.place in (Place.OUTPUT, Place.SCRATCH) else "const "
    return f", ({const}{argument.ctype} *)(void *)trial->arguments[{number}]"
