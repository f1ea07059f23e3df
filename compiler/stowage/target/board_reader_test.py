# SPDX-License-Identifier: Apache-2.0
"""Tests of reading board files: what a good one gives, and the sentence that each mistake is answered with."""

from __future__ import annotations

from pathlib import Path

import pytest

from stowage.errors import InvalidBoard
from stowage.target.board import Access, CmsdkUart, Master, NrfUart, QemuMachine, RegionKind, Role, RunsOn, Span
from stowage.target.board_reader import load_board, parse_board

GOOD = """\
name: "good"
description: "A board"
core: "cortex_m4f"
clock_hz: 64000000
interrupts: 48
stack_size_bytes: 4096
regions {
  name: "flash" base: 0x00000000 size_bytes: 0x00100000
  kind: FLASH access: READ_EXECUTE read_cost: 2 reached_by: CPU reached_by: NPU
}
regions {
  name: "sram" base: 0x20000000 size_bytes: 0x00040000
  kind: SRAM access: READ_WRITE banks: 4 reached_by: CPU reached_by: DMA reached_by: NPU
}
reservations {
  name: "monitor" owner: "A monitor" always: true
  ranges { region: "flash" base: 0x000F0000 size_bytes: 0x00010000 }
}
reservations {
  name: "radio" owner: "A radio stack"
  ranges { region: "flash" base: 0x00000000 size_bytes: 0x00010000 }
  ranges { region: "sram" base: 0x20000000 size_bytes: 0x00002000 }
}
roles {
  code: "flash" weights: "flash" arena: "sram" arena_fast: "sram" stack: "sram" data: "sram"
}
dma { name: "dma0" model: "pl081" base: 0x40010000 channels: 2 interrupt: 47 }
npu {
  name: "npu0" base: 0x40020000 macs_per_cycle: 128 banks: 4 operators: "conv2d" command_format: "stowage_npu_1"
  bank_bytes: 8192 array_channels: 8 array_pixels: 4 array_depth: 4 port_bytes: 32 dma_bytes: 8
}
exec {
  qemu { machine: "mps2-an386" cpu: "cortex-m4" arguments: "-m" arguments: "16" icount_shift: 7 systick_hz: 25000000 }
}
console { nrf_uart { base: 0x40002000 tx_pin: 6 baud_register: 0x01D7E000 } }
"""


def test_a_good_board_is_read_in_full() -> None:
    board = parse_board(GOOD, "good.textproto")
    flash, sram = board.regions
    assert (board.name, board.core.name, board.clock_hz, board.interrupts) == ("good", "cortex_m4f", 64_000_000, 48)
    assert (flash.kind, flash.access, flash.read_cost, flash.write_cost) == (
        RegionKind.FLASH,
        Access.READ_EXECUTE,
        2,
        1,
    )
    assert (sram.banks, sram.reached_by) == (4, frozenset({Master.CPU, Master.DMA, Master.NPU}))
    assert board.roles[Role.ARENA] == (sram,)
    assert board.dma[0].channels == 2
    assert board.npu is not None
    assert board.npu.operators == ("conv2d",)
    assert board.execution == QemuMachine("mps2-an386", "cortex-m4", ("-m", "16"), 7, 25_000_000)
    assert board.console == NrfUart(0x4000_2000, 6, 0x01D7_E000)


def test_what_is_always_reserved_is_taken_off() -> None:
    board = parse_board(GOOD, "good.textproto")
    assert board.reserved == ("monitor",)
    assert board.regions[0].free == Span(0, 0xF_0000)
    assert board.regions[1].free == board.regions[1].span


def test_what_an_image_selects_is_taken_off_too() -> None:
    board = parse_board(GOOD, "good.textproto", ["radio"])
    assert board.reserved == ("monitor", "radio")
    assert board.regions[0].free == Span(0x1_0000, 0xF_0000)
    assert board.regions[1].free == Span(0x2000_2000, 0x2004_0000)
    assert board.roles[Role.CODE][0].free == Span(0x1_0000, 0xF_0000)


def test_the_stack_is_guarded_only_where_memory_lies_below() -> None:
    assert parse_board(GOOD, "good.textproto").stack_guard.size_bytes == 0
    assert parse_board(GOOD, "good.textproto", ["radio"]).stack_guard == Span(0x2000_2000, 0x2000_2100)


def test_other_consoles_and_executions() -> None:
    text = GOOD.replace(
        "nrf_uart { base: 0x40002000 tx_pin: 6 baud_register: 0x01D7E000 }", "cmsdk_uart { base: 1 baud_divisor: 2 }"
    )
    assert parse_board(text, "f").console == CmsdkUart(1, 2)
    start = GOOD.index("exec")
    device = GOOD[:start] + "exec { device {} }"
    assert parse_board(device, "f").execution is RunsOn.DEVICE
    assert parse_board(device, "f").console is None


# Each mistake: what is replaced in the good file, by what, and the sentence.
MISTAKES = [
    ('name: "good"', 'name: "Good"', 'name: "Good" is not a name; use lower-case letters, digits and underscores.'),
    ('name: "good"', "", 'name: "" is not a name; use lower-case letters, digits and underscores.'),
    (
        '"cortex_m4f"',
        '"cortex_m9"',
        'core: there is no "cortex_m9"; use one of cortex_m0, cortex_m3, cortex_m33, cortex_m4f, cortex_m55, '
        "cortex_m7, host.",
    ),
    ("clock_hz: 64000000", "", "clock_hz: is missing or 0; give a number above zero."),
    ("stack_size_bytes: 4096", "", "stack_size_bytes: is missing or 0; give a number above zero."),
    (
        "stack_size_bytes: 4096",
        "stack_size_bytes: 4092",
        "stack_size_bytes: 4092 is not a multiple of 8; round it up to one.",
    ),
    (
        "stack_size_bytes: 4096",
        "stack_size_bytes: 262152",
        'stack_size_bytes: a stack of 262152 bytes is too large for region "sram", which has 262144 bytes free; '
        "give a smaller one, or put the stack elsewhere.",
    ),
    (
        "clock_hz: 64000000",
        "clock_mhz: 64",
        'line 4: Message type "stowage.Board" has no field named "clock_mhz"; '
        "see the fields and values in hal/proto/board.proto.",
    ),
    (
        "kind: FLASH",
        "kind: EEPROM",
        "line 9: '  kind: EEPROM access: READ_EXECUTE read_cost: 2 reached_by: CPU reached_by: NPU': "
        'Enum type "stowage.RegionKind" has no value named EEPROM; see the fields and values in hal/proto/board.proto.',
    ),
    (
        'name: "sram" base',
        'name: "s-ram" base',
        'regions.name: "s-ram" is not a name; use lower-case letters, digits and underscores.',
    ),
    ('name: "sram" base', 'name: "flash" base', 'regions: "flash" is there twice; name each once.'),
    ("size_bytes: 0x00040000", "", "regions[sram].size_bytes: is missing or 0; give a number above zero."),
    (
        "size_bytes: 0x00040000",
        "size_bytes: 0x00040010",
        "regions[sram].size_bytes: 0x40010 is not a multiple of 256; round it to one.",
    ),
    (
        "base: 0x20000000 size_bytes: 0x00040000",
        "base: 0x20000020 size_bytes: 0x00040000",
        "regions[sram].base: 0x20000020 is not a multiple of 256; round it to one.",
    ),
    (
        "base: 0x20000000 size_bytes: 0x00040000",
        "base: 0x000FFF00 size_bytes: 0x00040000",
        'regions[sram]: starts at 0xfff00, inside region "flash" that ends at 0x100000; '
        "correct the base or the size of one of them.",
    ),
    (
        "base: 0x20000000 size_bytes: 0x00040000",
        "base: 0xFFFFFF00 size_bytes: 0x00000200",
        "regions[sram]: ends at 0x100000100, beyond 4 GiB; correct its base or its size.",
    ),
    (
        "base: 0x20000000 size_bytes: 0x00040000",
        "base: 0x3FFFFF00 size_bytes: 0x00000200",
        "regions[sram].base: Cortex-M4F keeps 0x40000000 to 0x5fffffff for peripherals; correct the base or the size.",
    ),
    ("kind: SRAM", "", "regions[sram].kind: is missing; see its values in hal/proto/board.proto."),
    ("access: READ_WRITE", "", "regions[sram].access: is missing; see its values in hal/proto/board.proto."),
    ("banks: 4", "banks: 3", "regions[sram].banks: 262144 bytes don't divide into 3 equal banks; correct the number."),
    (
        "reached_by: CPU reached_by: DMA",
        "reached_by: DMA",
        "regions[sram].reached_by: the processor (CPU) is not among them; add CPU, or leave the region out.",
    ),
    (
        "reached_by: DMA",
        "reached_by: MASTER_UNSPECIFIED",
        "regions[sram].reached_by: is missing; see its values in hal/proto/board.proto.",
    ),
    (
        'dma { name: "dma0" model: "pl081" base: 0x40010000 channels: 2 interrupt: 47 }',
        "",
        "regions[sram].reached_by: the board has no dma; describe it in the field dma, or leave it out here.",
    ),
    ('name: "radio"', 'name: "monitor"', 'reservations: "monitor" is there twice; name each once.'),
    (
        'name: "radio"',
        'name: "Radio"',
        'reservations.name: "Radio" is not a name; use lower-case letters, digits and underscores.',
    ),
    ('owner: "A radio stack"', "", "reservations[radio].owner: is missing; say in a line what owns the memory."),
    (
        'ranges { region: "flash" base: 0x000F0000 size_bytes: 0x00010000 }',
        "",
        "reservations[monitor].ranges: nothing is reserved; add a range, or leave the reservation out.",
    ),
    (
        'region: "sram" base',
        'region: "ram" base',
        'reservations[radio].ranges.region: there is no "ram"; use one of flash, sram.',
    ),
    (
        "size_bytes: 0x00002000",
        "size_bytes: 0x00080000",
        "reservations[radio].ranges[sram]: 0x20000000 to 0x2007ffff is not inside the region, "
        "0x20000000 to 0x2003ffff; correct its base or its size.",
    ),
    (
        "base: 0x20000000 size_bytes: 0x00002000",
        "base: 0x20000000 size_bytes: 0",
        "reservations[radio].ranges[sram].size_bytes: is missing or 0; give a number above zero.",
    ),
    (
        "base: 0x20000000 size_bytes: 0x00002000",
        "base: 0x20000010 size_bytes: 0x00002000",
        "reservations[radio].ranges[sram].base: 0x20000010 is not a multiple of 256; round it to one.",
    ),
    (
        "base: 0x000F0000 size_bytes: 0x00010000",
        "base: 0x00080000 size_bytes: 0x00010000",
        'reservations[monitor]: cuts region "flash" in two at 0x80000; '
        "reserve from an end of the region, or describe it as two regions.",
    ),
    (
        "base: 0x000F0000 size_bytes: 0x00010000",
        "base: 0x00000000 size_bytes: 0x00100000",
        'reservations[monitor]: leaves nothing of region "flash"; leave the region out of the roles and the board.',
    ),
    ('arena: "sram"', "", "roles.arena: no region takes this role; name one of flash, sram."),
    ('arena: "sram"', 'arena: "ram"', 'roles.arena: there is no "ram"; use one of flash, sram.'),
    ('arena: "sram"', 'arena: "sram" arena: "sram"', 'roles.arena: "sram" is there twice; name each once.'),
    (
        'data: "sram"',
        'data: "flash"',
        'roles.data: region "flash" is for read and execute, this role needs read and write; '
        "name another region, or correct its access.",
    ),
    ('model: "pl081"', "", 'dma[dma0].model: "" is not a name; use lower-case letters, digits and underscores.'),
    (
        'model: "pl081"',
        'model: "easydma"',
        'dma[dma0].model: there is no "easydma"; use one of pl080, pl081.',
    ),
    ("channels: 2", "", "dma[dma0].channels: is missing or 0; give a number above zero."),
    ("channels: 2", "channels: 3", "dma[dma0].channels: is 3, a pl081 has 2; correct the number or the model."),
    (
        "interrupt: 47",
        "",
        "dma[dma0].interrupt: is missing; give the line of the chip that tells of both ends and errors.",
    ),
    (
        "interrupt: 47",
        "interrupt: 48",
        "dma[dma0].interrupt: is 48, the board has 48 lines from 0 on; correct it, or interrupts.",
    ),
    ("macs_per_cycle: 128", "", "npu.macs_per_cycle: is missing or 0; give a number above zero."),
    (
        "macs_per_cycle: 128",
        "macs_per_cycle: 256",
        "npu.macs_per_cycle: is 256, but an array of 8 channels, 4 pixels and a depth of 4 does 128; "
        "correct one of them.",
    ),
    ("macs_per_cycle: 128 banks: 4", "macs_per_cycle: 128 banks: 3", "npu.banks: is 3; give a number from 4 to 32."),
    (
        "port_bytes: 32",
        "port_bytes: 31",
        "npu.port_bytes: a port of 31 bytes can't feed an array that takes 32 bytes of weights a cycle; "
        "give a wider port or a smaller array.",
    ),
    (
        "dma_bytes: 8",
        "dma_bytes: 64",
        "npu.dma_bytes: the DMA moves 64 bytes a cycle through ports of 32; give it no more than a port takes.",
    ),
    ("bank_bytes: 8192", "bank_bytes: 8000", "npu.bank_bytes: 0x1f40 is not a multiple of 256; round it to one."),
    (
        'operators: "conv2d" command',
        'operators: "softmax" command',
        'npu.operators: there is no "softmax"; use one of add, average_pool2d, conv2d, depthwise_conv2d, '
        "fully_connected, max_pool2d, requantise.",
    ),
    (
        'operators: "conv2d" command',
        "command",
        "npu.operators: the NPU runs nothing; name some of conv2d, "
        "depthwise_conv2d, fully_connected, max_pool2d, average_pool2d, add, requantise.",
    ),
    ("stowage_npu_1", "v1", 'npu.command_format: there is no "v1"; use one of stowage_npu_1.'),
    (
        "READ_EXECUTE read_cost: 2 reached_by: CPU reached_by: NPU",
        "READ_EXECUTE read_cost: 2 reached_by: CPU",
        "regions[flash]: takes the weights of models, and the NPU does not reach it; "
        "add NPU to its reached_by, or give the role to another region.",
    ),
    (
        'machine: "mps2-an386"',
        "",
        "exec.qemu.machine: is missing; name a machine that `qemu-system-arm -machine help` lists.",
    ),
    ("systick_hz: 25000000", "", "exec.qemu.systick_hz: is missing or 0; give a number above zero."),
    (
        "icount_shift: 7",
        "icount_shift: 6",
        "exec.qemu.icount_shift: an instruction lasts 64 ns, not more than two ticks of a 25000000 Hz SysTick; "
        "give a larger one, or the counter can't be exact.",
    ),
    (
        "icount_shift: 7",
        "icount_shift: 11",
        "exec.qemu.icount_shift: is 11, QEMU takes at most 10; give a smaller one.",
    ),
    ("baud_register: 0x01D7E000", "", "console.nrf_uart.baud_register: is missing or 0; give a number above zero."),
    (
        "console { nrf_uart { base: 0x40002000 tx_pin: 6 baud_register: 0x01D7E000 } }",
        "console {}",
        "console: names no port; give nrf_uart or cmsdk_uart, or leave console out.",
    ),
]


@pytest.mark.parametrize(("good", "bad", "sentence"), MISTAKES, ids=[mistake[2][:60] for mistake in MISTAKES])
def test_a_mistake_is_answered_with_a_sentence(good: str, bad: str, sentence: str) -> None:
    assert good in GOOD
    with pytest.raises(InvalidBoard) as refusal:
        parse_board(GOOD.replace(good, bad, 1), "b.textproto", ["radio"] if "ranges" in sentence else [])
    assert str(refusal.value) == f"b.textproto: {sentence}"


def _refusal(text: str, reserve: list[str] | None = None) -> str:
    with pytest.raises(InvalidBoard) as refusal:
        parse_board(text, "b.textproto", reserve or [])
    return str(refusal.value)


def test_a_board_without_memory() -> None:
    text = 'name: "b" core: "cortex_m0"'
    assert _refusal(text) == (
        "b.textproto: regions: the board has no memory; add at least a region to execute from and one to write to."
    )


def test_an_unknown_reservation() -> None:
    sentence = 'b.textproto: reservations: there is no "softdevice"; use one of monitor, radio.'
    assert _refusal(GOOD, ["softdevice"]) == sentence


def test_reservations_that_overlap() -> None:
    text = GOOD.replace("base: 0x000F0000 size_bytes: 0x00010000", "base: 0x00000000 size_bytes: 0x00010000", 1)
    assert _refusal(text, ["radio"]) == (
        'b.textproto: reservations[radio]: takes bytes of region "flash" that are reserved already; '
        "select one of the two."
    )


def test_no_execution() -> None:
    text = GOOD[: GOOD.index("exec")]
    assert _refusal(text) == "b.textproto: exec: is missing; say qemu, device or host."


def test_a_host_that_is_emulated() -> None:
    text = GOOD.replace('"cortex_m4f"', '"host"')
    assert _refusal(text) == "b.textproto: exec: qemu can't execute code for the host; correct exec or core."


def test_a_vector_table_that_the_core_cannot_use() -> None:
    text = GOOD.replace("base: 0x00000000 size_bytes: 0x00010000", "base: 0x00000000 size_bytes: 0x00000100")
    text = text.replace("interrupts: 48", "interrupts: 49")
    assert _refusal(text, ["radio"]) == (
        "b.textproto: interrupts: a vector table of 260 bytes at 0x100 is not aligned to 512 bytes; "
        "start the free part of the code region at such an address."
    )


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    file = tmp_path / "board.textproto"
    with pytest.raises(InvalidBoard) as refusal:
        load_board(file)
    assert str(refusal.value) == f"{file}: can't be read: No such file or directory; name a board file."


def test_a_file_that_is_not_text(tmp_path: Path) -> None:
    file = tmp_path / "board.textproto"
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InvalidBoard) as refusal:
        load_board(file)
    assert str(refusal.value) == f"{file}: can't be read: it is not UTF-8 text; name a board file."
