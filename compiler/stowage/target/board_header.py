# SPDX-License-Identifier: Apache-2.0
"""Generates a board's C header: its regions, clock, console and what the emulator's counter needs, as macros."""

from __future__ import annotations

from collections.abc import Iterable

from stowage.target.board import Access, Board, CmsdkUart, Console, Master, Npu, NrfUart, QemuMachine, Region

COUNTER_SCALE_ONE = 1 << 31


def board_header(board: Board) -> str:
    """The text of `stw_board.h` for the board."""
    reserved = f" with {', '.join(board.reserved)} reserved" if board.reserved else ""
    lines = [
        "/* SPDX-License-Identifier: Apache-2.0 */",
        f"/* Board {board.name}{reserved}: {board.description}. Generated from its board.textproto. */",
        "#ifndef STW_BOARD_H",
        "#define STW_BOARD_H",
        "",
        f'#define STW_BOARD_NAME "{board.name}"',
        f"#define STW_BOARD_CLOCK_HZ {board.clock_hz}u",
        f"#define STW_BOARD_INTERRUPTS {board.interrupts}",
        f"#define STW_BOARD_IS_HOST {int(board.core.is_host)}",
        f"#define STW_BOARD_CORE_HAS_CACHES {int(board.core.caches)}",
        "",
        "/* Instructions per SysTick tick in the emulator, times 2^31; 0 where no emulator runs the board. */",
        f"#define STW_BOARD_COUNTER_SCALE_Q31 {counter_scale_q31(board):#x}u",
        "",
        *_console_lines(board.console),
        "",
        *([*npu_lines(board.npu), ""] if board.npu else []),
        *_region_lines(board.regions),
        "/* STW_BOARD_WRITABLE_REGIONS(X) is X(name, base, bytes) for each region that an image may write. */",
        *_list("STW_BOARD_WRITABLE_REGIONS", (r for r in board.regions if r.access is Access.READ_WRITE)),
        "",
        *_dma_lines(board),
        "",
        "#endif",
    ]
    return "\n".join(lines) + "\n"


def counter_scale_q31(board: Board) -> int:
    """Instructions per SysTick tick under QEMU's -icount, times 2^31, rounded; 0 if QEMU doesn't run the board."""
    if not isinstance(board.execution, QemuMachine):
        return 0
    instruction_ns = 1 << board.execution.icount_shift
    ticks_per_q31 = board.execution.systick_hz * instruction_ns
    return (COUNTER_SCALE_ONE * 1_000_000_000 + ticks_per_q31 // 2) // ticks_per_q31


def _console_lines(console: Console | None) -> list[str]:
    if isinstance(console, NrfUart):
        return [
            f"#define STW_BOARD_NRF_UART_BASE {console.base:#010x}u",
            f"#define STW_BOARD_NRF_UART_TX_PIN {console.tx_pin}u",
            f"#define STW_BOARD_NRF_UART_BAUD_REGISTER {console.baud_register:#010x}u",
        ]
    if isinstance(console, CmsdkUart):
        return [
            f"#define STW_BOARD_CMSDK_UART_BASE {console.base:#010x}u",
            f"#define STW_BOARD_CMSDK_UART_BAUD_DIVISOR {console.baud_divisor}u",
        ]
    return ["/* This board has no console of its own. */"]


def _region_lines(regions: Iterable[Region]) -> Iterable[str]:
    for region in regions:
        prefix = f"STW_REGION_{region.name.upper()}"
        yield f"/* {region.description}: {region.kind.value}, {region.access.value}. */"
        yield f"#define {prefix}_BASE {region.free.base:#010x}u"
        yield f"#define {prefix}_BYTES {region.free.size_bytes:#x}u"
        yield ""


def _list(macro: str, regions: Iterable[Region]) -> list[str]:
    """A macro that calls its argument with each region."""
    return _calls(
        macro, (f'("{r.name}", STW_REGION_{r.name.upper()}_BASE, STW_REGION_{r.name.upper()}_BYTES)' for r in regions)
    )


def _calls(macro: str, arguments: Iterable[str]) -> list[str]:
    lines = [f"#define {macro}(X)", *(f"    X{each}" for each in arguments)]
    return [*(f"{line} \\" for line in lines[:-1]), lines[-1]]


def _dma_lines(board: Board) -> Iterable[str]:
    """What the drivers in hal/dma take; a board without a controller has only what the vector table takes."""
    lines = [(each, number) for each in board.dma for number in range(each.channels)]
    yield "/* Copies that the board's DMA controllers run at once, and the interrupts that tell of their ends. */"
    yield f"#define STW_BOARD_DMA_CHANNELS {len(lines)}"
    yield from _calls(
        "STW_BOARD_DMA_INTERRUPTS", (f"({each})" for each in sorted({dma.interrupt for dma in board.dma}))
    )
    if not lines:
        return
    yield "/* STW_BOARD_DMA_LINES(X) is X(controller, channel, interrupt) for each channel of each controller. */"
    yield from _calls("STW_BOARD_DMA_LINES", (f"({dma.base:#010x}u, {n}u, {dma.interrupt}u)" for dma, n in lines))
    yield "/* STW_BOARD_DMA_REGIONS(X) is X(name, base, bytes) for each region that they reach. */"
    yield from _list("STW_BOARD_DMA_REGIONS", (r for r in board.regions if Master.DMA in r.reached_by))


def npu_lines(npu: Npu) -> list[str]:
    """The macros of an NPU: where it is, and how large."""
    fields = ("banks", "bank_bytes", "array_channels", "array_pixels", "array_depth", "port_bytes", "dma_bytes")
    return [
        f"/* {npu.name}: hal/npu/README.md describes it. */",
        f"#define STW_NPU_BASE {npu.base:#010x}u",
        *(f"#define STW_NPU_{field.upper()} {getattr(npu, field)}u" for field in fields),
    ]
