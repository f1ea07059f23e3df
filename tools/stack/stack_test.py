# SPDX-License-Identifier: Apache-2.0
"""Stack bounds of listings whose answers can be worked out by hand."""

from __future__ import annotations

import pytest

from tools.stack.bound import StackDepths
from tools.stack.listing import Function, functions
from tools.stack.unbounded import UnboundedStack

LISTING = """
image.elf:     file format elf32-littlearm

Disassembly of section .text:

00000100 <main>:
     100:\tpush\t{r4, r5, lr}
     102:\tsub\tsp, #20
     104:\tbl\t120 <leaf>
     108:\tbl\t140 <deep>
     10c:\tadd\tsp, #20
     10e:\tpop\t{r4, r5, pc}

00000120 <leaf>:
     120:\tvpush\t{d8-d15}
     124:\tvpop\t{d8-d15}
     128:\tbx\tlr
     12c:\t.word\t0x20000000

00000140 <deep>:
     140:\tstmdb\tsp!, {r4, r5, r6, r7, r8, lr}
     144:\tb.w\t160 <tail>

00000160 <tail>:
     160:\tstr.w\tr0, [sp, #-8]!
     164:\tbeq.n\t140 <deep>
     166:\tbx\tlr
"""


def _depths(listing: str) -> StackDepths:
    return StackDepths(functions(listing.splitlines()))


def _function(*lines: str) -> Function:
    body = "\n".join(f"     {0x100 + 2 * index:x}:\t{line}" for index, line in enumerate(lines))
    return functions(f"00000100 <f>:\n{body}\n".splitlines())[0]


def test_frames_add_up_along_the_deepest_path() -> None:
    depths = _depths(LISTING)
    assert depths.of("leaf").bytes_ == 64
    assert depths.of("tail").bytes_ == 24 + 8, "deep and tail jump into each other: one ring, both frames"
    assert depths.of("main").bytes_ == 12 + 20 + 64
    assert [name for name, _ in depths.of("main").path] == ["main", "leaf"]


def test_a_deeper_callee_takes_over() -> None:
    deeper = LISTING.replace("#-8]!", "#-80]!")
    assert _depths(deeper).of("main").bytes_ == 32 + 24 + 80


def test_recursion_is_refused() -> None:
    listing = "00000100 <a>:\n  100:\tpush\t{lr}\n  102:\tbl\t110 <b>\n  106:\tpop\t{pc}\n"
    listing += "00000110 <b>:\n  110:\tpush\t{lr}\n  112:\tbl\t100 <a>\n  116:\tpop\t{pc}\n"
    with pytest.raises(UnboundedStack, match="recursion"):
        _depths(listing).of("a")


def test_a_function_that_calls_itself_is_refused() -> None:
    listing = "00000100 <a>:\n  100:\tpush\t{lr}\n  102:\tbl\t100 <a>\n  106:\tpop\t{pc}\n"
    with pytest.raises(UnboundedStack, match="a reaches a"):
        _depths(listing).of("a")


def test_a_call_through_a_pointer_is_refused() -> None:
    with pytest.raises(UnboundedStack, match="f goes where a pointer says at 0x100"):
        StackDepths([_function("blx\tr3", "bx\tlr")]).of("f")


def test_falling_through_counts_as_a_jump() -> None:
    listing = "00000100 <a>:\n  100:\tpush\t{lr}\n  102:\tnop\n00000104 <b>:\n  104:\tsub\tsp, #40\n  106:\tbx\tlr\n"
    assert _depths(listing).of("a").bytes_ == 44


@pytest.mark.parametrize(
    "ending", ["ldr.w\tpc, [sp], #4", "pop\t{pc}", "ldmia.w\tsp!, {r4, pc}", "bx\tlr", "b.n\t100 <a>"]
)
def test_padding_behind_a_return_is_not_reached(ending: str) -> None:
    listing = f"00000100 <a>:\n  100:\tpush\t{{lr}}\n  102:\t{ending}\n  106:\tnop\n  108:\tmovs\tr0, r0\n\t...\n\n"
    listing += "00000110 <b>:\n  110:\tsub\tsp, #40\n  112:\tbx\tlr\n"
    assert _depths(listing).of("a").bytes_ == 4


def test_a_conditional_return_does_not_end_a_function() -> None:
    listing = "00000100 <a>:\n  100:\tit\teq\n  102:\tbxeq\tlr\n00000104 <b>:\n  104:\tsub\tsp, #40\n  106:\tbx\tlr\n"
    assert _depths(listing).of("a").bytes_ == 40


@pytest.mark.parametrize("call", ["bl", "blne", "blx"])
def test_conditional_calls_are_calls(call: str) -> None:
    listing = (
        f"00000100 <a>:\n  100:\t{call}\t108 <b>\n  104:\tbx\tlr\n00000108 <b>:\n  108:\tsub\tsp, #40\n  10a:\tbx\tlr\n"
    )
    assert _depths(listing).of("a").bytes_ == 40


def test_a_conditional_jump_through_a_pointer_is_refused() -> None:
    with pytest.raises(UnboundedStack, match="pointer"):
        StackDepths([_function("it\tne", "bxne\tr3", "bx\tlr")]).of("f")


def test_bl_into_ones_own_middle_is_a_far_jump() -> None:
    far = "00000100 <a>:\n  100:\tpush\t{lr}\n  102:\tbl\t108 <a+0x8>\n  106:\tnop\n  108:\tpop\t{pc}\n"
    assert _depths(far).of("a").bytes_ == 4


def test_the_address_counts_and_not_the_label() -> None:
    """An absolute symbol, such as a size, may have a value within the code: objdump then shows it as the label."""
    listing = "00000100 <a>:\n  100:\tbl\t108 <__size_bytes+0x8>\n  104:\tbx\tlr\n"
    listing += "00000108 <b>:\n  108:\tsub\tsp, #40\n  10a:\tbx\tlr\n"
    assert _depths(listing).of("a").bytes_ == 40


def test_functions_of_one_name_are_told_apart() -> None:
    listing = "00000100 <a>:\n  100:\tbl\t110 <dot>\n  104:\tbl\t120 <dot>\n  108:\tbx\tlr\n"
    listing += "00000110 <dot>:\n  110:\tsub\tsp, #40\n  112:\tbx\tlr\n"
    listing += "00000120 <dot>:\n  120:\tsub\tsp, #8\n  122:\tbx\tlr\n"
    assert _depths(listing).of("a").bytes_ == 40


VENEERS = """
00000100 <a>:
 100:\tbl\t110 <__far_veneer>
 104:\tbx\tlr
00000110 <__far_veneer>:
 110:\tldr.w\tpc, [pc]\t@ 114 <__far_veneer+0x4>
 114:\t.word\t0x00000141
00000120 <__low_veneer>:
 120:\tpush\t{r0}
 122:\tldr\tr0, [pc, #8]
 124:\tmov\tip, r0
 126:\tpop\t{r0}
 128:\tbx\tip
 12a:\tnop
 12c:\t.word\t0x00000141
00000140 <far>:
 140:\tsub\tsp, #40
 142:\tbx\tlr
"""


@pytest.mark.parametrize(("veneer", "expected"), [("110 <__far_veneer>", 40), ("120 <__low_veneer>", 44)])
def test_veneers_lead_to_what_they_stand_for(veneer: str, expected: int) -> None:
    assert _depths(VENEERS.replace("110 <__far_veneer>", veneer, 1)).of("a").bytes_ == expected


def test_a_call_to_nowhere_is_refused() -> None:
    with pytest.raises(UnboundedStack, match="pointer"):
        _depths("00000100 <a>:\n  100:\tbl\t20000100 <ram>\n  104:\tbx\tlr\n").of("a")


def test_loops_of_armv8_1m_are_no_calls() -> None:
    listing = "00000100 <a>:\n  100:\tdls\tlr, r3\n  104:\tadds\tr0, #1\n  106:\tle\tlr, 104 <a+0x4>\n  10a:\tbx\tlr\n"
    assert _depths(listing).of("a").bytes_ == 0


def test_tables_of_a_switch_stay_within_the_function() -> None:
    for table in ("tbb\t[pc, r0]", "ldr.w\tpc, [pc, r3, lsl #2]", "mov\tpc, r3"):
        assert StackDepths([_function("push\t{lr}", table, "pop\t{pc}")]).of("f").bytes_ == 4
