# SPDX-License-Identifier: Apache-2.0
"""Dumps of plans: they read back as they were, and a real MLIR parser reads them."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from xdsl.context import Context
from xdsl.dialects.builtin import Builtin
from xdsl.parser import Parser

from stowage.ir.text.attributes import TextError
from stowage.memory.plan import Placed, Plan
from stowage.memory.problem import Buffer
from stowage.memory.share import Foreign, Share
from stowage.memory.text import parse_plan, print_plan
from stowage.schedule.arbitrary_schedules import schedules
from stowage.schedule.schedule import Schedule
from stowage.schedule.text import arrays_of

NUMBERS = st.integers(0, 2**40)
BUFFERS = st.builds(Buffer, st.text(max_size=6), NUMBERS, NUMBERS, NUMBERS, NUMBERS, st.none() | NUMBERS)
PLACED = st.lists(st.builds(Placed, BUFFERS, st.text(max_size=6), NUMBERS), max_size=3).map(tuple)
FOREIGN = st.builds(Foreign, st.text(max_size=6), NUMBERS, NUMBERS, st.booleans())
SHARES = st.builds(Share, st.text(max_size=6), st.lists(FOREIGN, max_size=2).map(tuple))
PLANS = st.builds(Plan, schedules(), PLACED, NUMBERS, NUMBERS, NUMBERS, st.none() | SHARES, st.integers(0, 8))


@settings(deadline=None)
@given(PLANS)
def test_text_reads_back_as_the_same_plan(plan: Plan) -> None:
    assert parse_plan(print_plan(plan), arrays_of(plan.schedule)) == plan


@settings(deadline=None, max_examples=50)
@given(PLANS)
def test_a_real_mlir_parser_reads_it(plan: Plan) -> None:
    context = Context(allow_unregistered=True)
    context.load_dialect(Builtin)
    Parser(context, print_plan(plan)).parse_module()


PLAN = Plan(Schedule("tiny", (), (), (), (), ()), (Placed(Buffer("a/b", 12, 8, 0, 3), "ram", 16),), 28, 8, 12)
TEXT = """\
"builtin.module"() ({
  "stowage.schedule"() ({
    "stowage.return"() : () -> ()
  }) {name = "tiny"} : () -> ()
  "stowage.plan"() ({
    "stowage.buffer"() {name = "a/b", size_bytes = 12, alignment_bytes = 8, first = 0, last = 3, region = "ram", \
offset_bytes = 16} : () -> ()
  }) {arena_bytes = 28, alignment_bytes = 8, bound_bytes = 12} : () -> ()
}) : () -> ()
"""


def test_text_is_what_a_reader_expects() -> None:
    assert print_plan(PLAN) == TEXT


WRONG = [
    (TEXT.replace("stowage.plan", "stowage.map"), "a module with a stowage.schedule and a stowage.plan"),
    (TEXT.replace("bound_bytes = 12", "bound = 12"), "a stowage.plan has arena_bytes"),
    (TEXT.replace('region = "ram", ', ""), "expected a stowage.buffer with region"),
    (TEXT.replace("first = 0", 'first = "0"'), "'0' is no <class 'int'>"),
]


@pytest.mark.parametrize(("text", "message"), WRONG)
def test_what_is_no_plan_is_refused(text: str, message: str) -> None:
    with pytest.raises(TextError, match=message):
        parse_plan(text)
