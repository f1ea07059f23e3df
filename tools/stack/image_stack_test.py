# SPDX-License-Identifier: Apache-2.0
"""The bound of images small enough to add up by hand: reset, an interrupt on top, a fault apart."""

from __future__ import annotations

import pytest

from tools.stack.image_stack import image_stack
from tools.stack.listing import functions
from tools.stack.unbounded import UnboundedStack

IMAGE = """
00000100 <main>:
 100:\tpush\t{r4, lr}
 102:\tbl\t110 <digits_run>
 106:\tpop\t{r4, pc}

00000110 <digits_run>:
 110:\tsub\tsp, #100
 112:\tadd\tsp, #100
 114:\tbx\tlr

00000120 <stw_fault_entry>:
 120:\tldr\tr0, [pc, #4]
 122:\tmov\tsp, r1
 124:\tbx\tr0
 128:\t.word\t0x00000141

00000130 <stw_hal_interrupt>:
 130:\tldr\tr0, [pc, #0]
 132:\tbx\tr0
 134:\t.word\t0x00000121

00000140 <stw_fault_report>:
 140:\tpush\t{r4, lr}
 142:\tb.n\t142 <stw_fault_report+0x2>

00000150 <stw_reset>:
 150:\tpush\t{r3, lr}
 152:\tbl\t100 <main>
 156:\tnop

00000160 <stw_port_systick>:
 160:\tpush\t{r0, r1, r2, lr}
 162:\tpop\t{r0, r1, r2, pc}
"""
RUNNING = 8 + 8 + 100


def _bytes(listing: str, float_unit: bool = False) -> int:
    return image_stack(functions(listing.splitlines()), float_unit).bytes_


def test_the_core_pushes_a_frame_before_a_handler_pushes_its_own() -> None:
    assert _bytes(IMAGE) == RUNNING + 32 + 4 + 16
    assert _bytes(IMAGE, float_unit=True) == RUNNING + 104 + 4 + 16


def test_the_path_leads_to_the_deepest_point() -> None:
    path = image_stack(functions(IMAGE.splitlines()), float_unit=False).path
    assert path == (
        ("stw_reset", 8),
        ("main", 8),
        ("digits_run", 100),
        ("exception frame", 36),
        ("stw_port_systick", 16),
    )


def test_an_interrupt_of_the_firmware_counts() -> None:
    own = IMAGE.replace(" 130:\tldr\tr0, [pc, #0]\n 132:\tbx\tr0", " 130:\tsub\tsp, #200\n 132:\tbx\tlr")
    assert _bytes(own) == RUNNING + 36 + 200


def test_the_interrupt_of_dma_counts() -> None:
    handler = "\n00000170 <stw_dma_interrupt>:\n 170:\tsub\tsp, #400\n 172:\tadd\tsp, #400\n 174:\tbx\tlr\n"
    assert _bytes(IMAGE + handler) == RUNNING + 32 + 4 + 400


def test_an_interrupt_that_goes_where_a_pointer_says_is_refused() -> None:
    pointer = IMAGE.replace(" 130:\tldr\tr0, [pc, #0]", " 130:\tldr\tr0, [r1, #0]")
    with pytest.raises(UnboundedStack, match="stw_hal_interrupt goes where a pointer says at 0x132"):
        _bytes(pointer)


def test_a_report_of_a_fault_that_is_deeper_than_the_run_counts() -> None:
    assert _bytes(IMAGE.replace(" 140:\tpush\t{r4, lr}", " 140:\tsub\tsp, #400")) == 400


@pytest.mark.parametrize("missing", ["stw_reset", "stw_fault_report", "stw_port_systick", "stw_hal_interrupt"])
def test_an_image_that_the_hal_did_not_start_is_refused(missing: str) -> None:
    with pytest.raises(UnboundedStack, match=f"no function {missing}"):
        _bytes(IMAGE.replace(f"<{missing}>:", "<other>:"))
