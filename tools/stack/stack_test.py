# SPDX-License-Identifier: Apache-2.0
"""Stack bounds of listings whose answers can be worked out by hand."""

from __future__ import annotations

import pytest
from tools.stack.bound import StackDepths, UnboundedStack
from tools.stack.frame import UnboundedFrame, frame_bytes
from tools.stack.listing import Function, functions

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
    body = "\n".join(f"     {100 + 2 * index:x}:\t{line}" for index, line in enumerate(lines))
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


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("push\t{r3, lr}", 8),
        ("push\t{r4-r7, lr}", 20),
        ("vpush\t{s16-s19}", 16),
        ("sub\tsp, #128", 128),
        ("sub.w\tsp, sp, #1024", 1024),
        ("subw\tsp, sp, #1028", 1028),
        ("strd\tr0, r1, [sp, #-16]!", 16),
        ("ldr\tr0, [sp, #4]", 0),
        ("add\tsp, #16", 0),
    ],
)
def test_frame_of_one_instruction(line: str, expected: int) -> None:
    assert frame_bytes(_function(line, "bx\tlr")) == expected


@pytest.mark.parametrize("line", ["sub.w\tsp, sp, r3", "mov\tsp, r7", "add\tsp, r4"])
def test_a_frame_that_depends_on_data_is_refused(line: str) -> None:
    with pytest.raises(UnboundedFrame, match="^f "):
        frame_bytes(_function(line, "bx\tlr"))


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
    with pytest.raises(UnboundedStack, match="f calls through a pointer at 0x64"):
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
