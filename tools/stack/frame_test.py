# SPDX-License-Identifier: Apache-2.0
"""Frames of functions whose size can be read off the instructions."""

from __future__ import annotations

import pytest

from tools.stack.frame import frame_bytes
from tools.stack.listing import Function, functions
from tools.stack.unbounded import UnboundedStack


def _function(*lines: str) -> Function:
    body = "\n".join(f"     {0x100 + 2 * index:x}:\t{line}" for index, line in enumerate(lines))
    return functions(f"00000100 <f>:\n{body}\n".splitlines())[0]


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("push\t{r3, lr}", 8),
        ("push\t{r4-r7, lr}", 20),
        ("push\t{r4, r5, r6, r7, r8, r9, sl, fp, ip, lr}", 40),
        ("vpush\t{s16-s19}", 16),
        ("vpush\t{d8-d15}", 64),
        ("vpush\t{d8}", 8),
        ("stmdb\tsp!, {r4, r5, r6, r7, r8, lr}", 24),
        ("stmdb\tr0!, {r4, r5}", 0),
        ("sub\tsp, #128\t@ 0x80", 128),
        ("sub\tsp, #128\t; 0x80", 128),
        ("sub.w\tsp, sp, #1024", 1024),
        ("subw\tsp, sp, #1028", 1028),
        ("strd\tr0, r1, [sp, #-16]!", 16),
        ("str.w\tr0, [sp], #-8", 8),
        ("vstrw.32\tq4, [sp, #-16]!", 16),
        ("ldr\tr0, [sp, #4]", 0),
        ("ldr.w\tpc, [sp], #4", 0),
        ("add\tsp, #16", 0),
        ("addw\tsp, sp, #1028", 0),
        ("cmp\tsp, r3", 0),
        ("vstmia\tsp, {d8-d15}", 0),
        ("ldmia.w\tsp, {r0, r1}", 0),
        ("vldmia\tsp!, {d8}", 0),
        ("add\tr7, sp, #0", 0),
        ("mov\tr0, sp", 0),
    ],
)
def test_one_instruction(line: str, expected: int) -> None:
    assert frame_bytes(_function(line, "bx\tlr")) == expected


@pytest.mark.parametrize(
    ("line", "expected"), [("pushne\t{r3, lr}", 8), ("subeq\tsp, #24", 24), ("stmdblt\tsp!, {r4, lr}", 8)]
)
def test_what_an_it_block_may_push_counts(line: str, expected: int) -> None:
    assert frame_bytes(_function("it\tne", line, "bx\tlr")) == expected


@pytest.mark.parametrize(
    "line",
    [
        "sub.w\tsp, sp, r3",
        "sub.w\tsp, r7, #16",
        "add.w\tsp, r7, #16",
        "mov\tsp, r7",
        "mov\tsp, ip",
        "add\tsp, r4",
        "bic.w\tsp, sp, #7",
        "ldr.w\tsp, [r0]",
        "msr\tMSP, r0",
        "msr\tCONTROL, r0",
    ],
)
def test_a_pointer_that_depends_on_data_is_refused(line: str) -> None:
    with pytest.raises(UnboundedStack, match=r"^f "):
        frame_bytes(_function(line, "bx\tlr"))


@pytest.mark.parametrize("change", ["orr", "bic"])
def test_privileges_may_change(change: str) -> None:
    lines = ["mrs\tr3, CONTROL", f"{change}.w\tr3, r3, #1", "msr\tCONTROL, r3"]
    assert frame_bytes(_function("push\t{r4, lr}", *lines, "bx\tlr")) == 8


@pytest.mark.parametrize(
    "lines",
    [
        ["mrs\tr3, CONTROL", "orr.w\tr3, r3, #2", "msr\tCONTROL, r3"],
        ["mrs\tr3, CONTROL", "orr.w\tr3, r2, #1", "msr\tCONTROL, r3"],
        ["mrs\tr2, CONTROL", "orr.w\tr3, r3, #1", "msr\tCONTROL, r3"],
        ["mrs\tr3, PSP", "orr.w\tr3, r3, #1", "msr\tPSP, r3"],
        ["orr.w\tr3, r3, #1", "msr\tCONTROL, r3"],
        ["mrs\tr3, CONTROL", "msr\tCONTROL, r3"],
    ],
)
def test_all_else_of_control_may_be_the_stack_pointer(lines: list[str]) -> None:
    with pytest.raises(UnboundedStack, match=r"^f sets a stack pointer"):
        frame_bytes(_function(*lines, "bx\tlr"))


# As GCC makes frames of 600 and 5,000 bytes for a Cortex-M0.
SHIFTED = """
00000000 <f600>:
   0:\tpush\t{r7, lr}
   2:\tldr\tr7, [pc, #16]\t@ (14 <f600+0x14>)
   4:\tadd\tsp, r7
   6:\tmov\tr0, sp
   8:\tbl\t100 <use>
   c:\tmovs\tr3, #150\t@ 0x96
   e:\tlsls\tr3, r3, #2
  10:\tadd\tsp, r3
  12:\tpop\t{r7, pc}
  14:\t.word\t0xfffffda8
"""

LOADED = """
00000030 <f5000>:
  30:\tpush\t{r7, lr}
  32:\tldr\tr7, [pc, #16]\t@ (44 <f5000+0x14>)
  34:\tadd\tsp, r7
  36:\tmov\tr0, sp
  38:\tbl\t100 <use>
  3c:\tldr\tr3, [pc, #8]\t@ (48 <f5000+0x18>)
  3e:\tadd\tsp, r3
  40:\tpop\t{r7, pc}
  42:\tnop\t\t\t@ (mov r8, r8)
  44:\t.word\t0xffffec78
  48:\t.word\t0x00001388
"""


@pytest.mark.parametrize(("listing", "expected"), [(SHIFTED, 8 + 600), (LOADED, 8 + 5000)])
def test_large_frames_of_armv6m_are_literals(listing: str, expected: int) -> None:
    assert frame_bytes(functions(listing.splitlines())[0]) == expected


def test_a_literal_that_another_way_round_may_replace_is_no_bound() -> None:
    joined = SHIFTED.replace("mov\tr0, sp", "b.n\t4 <f600+0x4>")
    with pytest.raises(UnboundedStack, match="f600 adds r7 to its stack pointer at 0x4"):
        frame_bytes(functions(joined.splitlines())[0])


def test_a_register_that_a_call_destroys_is_no_bound() -> None:
    destroyed = SHIFTED.replace("lsls\tr3, r3, #2", "bl\t100 <use>")
    with pytest.raises(UnboundedStack, match="adds r3"):
        frame_bytes(functions(destroyed.splitlines())[0])
