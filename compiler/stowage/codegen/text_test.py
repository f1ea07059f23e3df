# SPDX-License-Identifier: Apache-2.0
"""Dumps of programs: they read back as they were, and a real MLIR parser reads them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser

from stowage.codegen.program import (
    Access,
    ArenaPointer,
    Call,
    DataPointer,
    Datum,
    Port,
    Program,
    Slot,
    StatePort,
    Transfer,
)
from stowage.codegen.text import parse_program, print_program
from stowage.codegen.variant import Variant
from stowage.ir.dtype import DType
from stowage.ir.graph import Value
from stowage.ir.tensor_type import Quant, TensorType
from stowage.ir.text.attributes import TextError
from stowage.memory.share import Foreign, Share
from stowage.target.kernels.kernel import Direction, Overlap

TEXTS = st.text(max_size=6)
NUMBERS = st.integers(-(2**63), 2**63 - 1)
FLOATS = st.floats(allow_nan=False)
TYPES = st.builds(
    TensorType,
    st.lists(st.integers(0, 9), max_size=3).map(tuple),
    st.sampled_from(DType),
    st.sampled_from([None, Quant((0.5,), (3,))]),
)
PARAMETERS = st.dictionaries(
    st.from_regex("[a-z_]{1,6}", fullmatch=True),
    NUMBERS | FLOATS | st.lists(NUMBERS, max_size=3).map(tuple) | st.lists(FLOATS, max_size=3).map(tuple),
    max_size=3,
).map(lambda fields: tuple(fields.items()))
POINTERS = st.builds(ArenaPointer, TEXTS, NUMBERS, NUMBERS, st.sampled_from(Access), NUMBERS, TEXTS) | st.builds(
    DataPointer, TEXTS, TEXTS
)
OVERLAPS = st.builds(Overlap, NUMBERS, NUMBERS, st.sampled_from(Direction))
CALLS = st.builds(
    Call,
    *(TEXTS, TEXTS, TEXTS, TEXTS),
    PARAMETERS,
    st.lists(POINTERS, max_size=3).map(tuple),
    st.lists(OVERLAPS, max_size=2).map(tuple),
)
PORTS = st.builds(Port, st.builds(Value, TEXTS, TYPES), TEXTS, TEXTS, NUMBERS)
STATES = st.builds(StatePort, PORTS, PORTS, TEXTS, NUMBERS)
SLOTS = st.builds(Slot, TEXTS, TEXTS, *[NUMBERS] * 4)
DATA = st.builds(Datum, *[TEXTS] * 4, owner=st.none() | TEXTS)
FOREIGN = st.builds(Foreign, TEXTS, NUMBERS, NUMBERS, st.booleans())
TRANSFERS = st.builds(Transfer, TEXTS, TEXTS, *[NUMBERS] * 4)
SHARES = st.builds(Share, TEXTS, st.lists(FOREIGN, max_size=2).map(tuple))
VARIANTS = st.builds(Variant, TEXTS, st.lists(st.tuples(TEXTS, NUMBERS), max_size=2).map(tuple))
PROGRAMS = st.builds(
    Program,
    TEXTS,
    *(st.lists(records, max_size=2).map(tuple) for records in (PORTS, PORTS, SLOTS)),
    NUMBERS,
    NUMBERS,
    *(st.lists(records, max_size=2).map(tuple) for records in (DATA, CALLS)),
    states=st.lists(STATES, max_size=2).map(tuple),
    share=st.none() | SHARES,
    variant=st.none() | VARIANTS,
    transfers=st.lists(TRANSFERS, max_size=2).map(tuple),
    transfer_channels=st.integers(0, 8),
    cache_line_bytes=st.sampled_from([0, 32]),
)


@settings(deadline=None)
@given(PROGRAMS)
def test_text_reads_back_as_the_same_program(program: Program) -> None:
    assert parse_program(print_program(program)) == program


@settings(deadline=None, max_examples=50)
@given(PROGRAMS)
def test_a_real_mlir_parser_reads_it(program: Program) -> None:
    context = Context(allow_unregistered=True)
    context.load_dialect(Builtin)
    Parser(context, print_program(program)).parse_module()


X = Port(Value("x", TensorType((2,), DType.I8)), "x", "x", 0)
PROGRAM = Program(
    name="tiny",
    inputs=(X,),
    outputs=(),
    slots=(Slot("TINY_X_OFFSET", "x", 0, 2, 0, 1),),
    arena_bytes=2,
    alignment_bytes=8,
    data=(Datum("tiny_table", "table", "int8_t", "00ff"),),
    calls=(
        Call(
            *("tiny_00_act", 'table "act"', "h.h", "stw_table"),
            (("elements", 2), ("gain", 0.5)),
            (ArenaPointer("x", 0, 2, Access.READ, 0, "int8_t"), DataPointer("tiny_table", "int8_t")),
            (Overlap(0, 0),),
        ),
    ),
)
TEXT = """\
"builtin.module"() ({
  "stowage.program"() ({
    "stowage.input"() {value = {name = "x", type = tensor<2xi8>}, identifier = "x", buffer = "x", offset_bytes = 0} \
: () -> ()
    "stowage.slot"() {macro = "TINY_X_OFFSET", buffer = "x", offset_bytes = 0, size_bytes = 2, first = 0, last = 1} \
: () -> ()
    "stowage.datum"() {symbol = "tiny_table", role = "table", ctype = "int8_t", digest = "00ff"} : () -> ()
    "stowage.call"() {symbol = "tiny_00_act", summary = "table \\"act\\"", header = "h.h", function = "stw_table", \
pointers = [{buffer = "x", offset_bytes = 0, size_bytes = 2, access = "read", operand = 0, ctype = "int8_t"}, \
{symbol = "tiny_table", ctype = "int8_t"}], overlaps = [{input = 0, distance_bytes = 0, direction = "forward"}], \
parameters = {elements = 2, gain = 0.5}} : () -> ()
  }) {name = "tiny", arena_bytes = 2, alignment_bytes = 8} : () -> ()
}) : () -> ()
"""


def test_text_is_what_a_reader_expects() -> None:
    assert print_program(PROGRAM) == TEXT


WRONG = [
    (TEXT.replace("stowage.program", "stowage.plan"), "a module with one stowage.program"),
    (TEXT.replace("stowage.slot", "stowage.slit"), "a stowage.program holds no stowage.slit"),
    (TEXT.replace(", alignment_bytes = 8", ""), "a stowage.program has name, arena_bytes, alignment_bytes"),
    (TEXT.replace("last = 1", "lust = 1"), "Slot has no field lust"),
    (TEXT.replace("parameters = {elements = 2, gain = 0.5}", "parameters = 2"), "2 is no dictionary of parameters"),
    (TEXT.replace('"read"', '"reed"'), "is no"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_no_program_is_refused(text: str, message: str) -> None:
    with pytest.raises(TextError, match=message):
        parse_program(text)
