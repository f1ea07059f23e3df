# SPDX-License-Identifier: Apache-2.0
"""The most stack that a whole image can take: from reset down through main, with one interrupt at the worst moment.

All of the HAL's interrupts have one priority, so that they do not nest. A fault starts again at the top of the stack
and does not return; it counts by itself. What an exception saves by itself is of the core: eight words, with a
floating-point unit 18 more, and a word where the stack has to be aligned to eight bytes (Armv7-M and Armv8-M
Architecture Reference Manuals, "stack frame" of exception entry).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from tools.stack.bound import StackDepths
from tools.stack.listing import Function

RESET = "stw_reset"
FAULT_ENTRY = "stw_fault_entry"
FAULT_REPORT = "stw_fault_report"
INTERRUPTS = ("stw_port_systick", "stw_hal_interrupt")
DMA_INTERRUPT = "stw_dma_interrupt"
"""In images for boards with DMA controllers."""
_BASIC_FRAME_BYTES = 8 * 4
_FLOAT_FRAME_BYTES = 26 * 4
_ALIGNMENT_BYTES = 4


@dataclass(frozen=True, slots=True)
class ImageStack:
    """The bound of an image and what it is made of.

    Attributes:
        bytes_: no run takes more.
        path: (function, bytes) down to the deepest point, the exception's frame among them.
    """

    bytes_: int
    path: tuple[tuple[str, int], ...]


def image_stack(functions: Iterable[Function], float_unit: bool) -> ImageStack:
    """The bound of an image that was disassembled.

    Raises:
        UnboundedStack: there is none; the message says because of which function.
    """
    listed = list(functions)
    depths = StackDepths(listed, restarts=(FAULT_ENTRY,))
    main = depths.of(RESET)
    dma = [DMA_INTERRUPT] if any(function.name == DMA_INTERRUPT for function in listed) else []
    handler = max((depths.of(name) for name in (*INTERRUPTS, *dma)), key=lambda depth: depth.bytes_)
    frame = (_FLOAT_FRAME_BYTES if float_unit else _BASIC_FRAME_BYTES) + _ALIGNMENT_BYTES
    running = ImageStack(main.bytes_ + frame + handler.bytes_, (*main.path, ("exception frame", frame), *handler.path))
    fault = depths.of(FAULT_REPORT)
    return max(running, ImageStack(fault.bytes_, fault.path), key=lambda stack: stack.bytes_)
