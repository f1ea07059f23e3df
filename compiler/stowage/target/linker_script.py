# SPDX-License-Identifier: Apache-2.0
"""Generates a board's linker script for GNU ld: memory from the regions, sections placed by role.

What a port brings (console, exit, counter) comes last in the code and data regions, so that images that differ in their
port alone agree on the address of everything else.
"""

from __future__ import annotations

from stowage.target.board import Access, Board, Region, Role

_HEAD = """\
/* Linker script of board {name}{reserved}. Generated from its board.textproto. */

ENTRY(stw_reset)

MEMORY
{{
{memory}}}

/* An image that wants another stack defines this symbol on the linker's command line. */
PROVIDE(__stw_stack_bytes = {stack_bytes});

SECTIONS
{{
"""

_CODE = """\
    /* The core finds its vectors at the start of the image. */
    .stw_vectors :
    {{
        KEEP(*(.stw_vectors))
    }} > {code}

    .text :
    {{
        *(.text .text.*)
    }} > {code}

    .rodata :
    {{
        *(.rodata .rodata.*)
    }} > {code}

"""

_STACK_AND_DATA = """\
    /* The stack grows down from its top and lies below all else, so that an overflow hits {below}. */
    .stw_stack (NOLOAD) :
    {{
        . += {guard_bytes};
        __stw_stack_limit = .;
        . += __stw_stack_bytes;
        __stw_stack_top = .;
    }} > {stack}

    .data :
    {{
        . = ALIGN(8);
        __stw_data_start = .;
        *(.data .data.*)
        . = ALIGN(8);
        __stw_data_end = .;
    }} > {data} AT > {code}
    __stw_data_load = LOADADDR(.data);

    .bss (NOLOAD) :
    {{
        . = ALIGN(8);
        __stw_bss_start = .;
        *(.bss .bss.* COMMON)
        . = ALIGN(8);
        __stw_bss_end = .;
    }} > {data} AT > {data}

"""

_PORT = """\
    /* The port comes last: it differs between the image that is flashed and the one that is emulated. */
    .stw_port_text :
    {{
        *(.stw_port_text .stw_port_text.*)
        *(.stw_port_rodata .stw_port_rodata.*)
    }} > {code}

    .stw_port_bss (NOLOAD) :
    {{
        . = ALIGN(8);
        __stw_port_bss_start = .;
        *(.stw_port_bss .stw_port_bss.*)
        . = ALIGN(8);
        __stw_port_bss_end = .;
    }} > {data} AT > {data}

    /* Nothing unwinds the stack. */
    /DISCARD/ :
    {{
        *(.ARM.exidx .ARM.exidx.* .ARM.extab .ARM.extab.*)
    }}
}}

"""


def linker_script(board: Board) -> str:
    """The text of the board's linker script. What doesn't fit into a region is for the linker to refuse."""
    if board.core.is_host:
        return "/* The host's own linker script serves. */\n"
    first = {role.value: regions[0].name for role, regions in board.roles.items()}
    reserved = f" with {', '.join(board.reserved)} reserved" if board.reserved else ""
    guard = board.stack_guard.size_bytes
    return "".join(
        (
            _HEAD.format(name=board.name, reserved=reserved, memory=_memory(board), stack_bytes=board.stack_size_bytes),
            _CODE.format(**first),
            _role_sections(board, Role.WEIGHTS),
            _STACK_AND_DATA.format(**first, guard_bytes=guard, below="the guard" if guard else "no memory"),
            _role_sections(board, Role.ARENA_FAST),
            _role_sections(board, Role.ARENA),
            _PORT.format(**first),
            _assertions(board),
        )
    )


def _memory(board: Board) -> str:
    return "".join(
        f"    {region.name} ({'rx' if region.access is Access.READ_EXECUTE else 'rw'}) : "
        f"ORIGIN = {region.free.base:#010x}, LENGTH = {region.free.size_bytes:#010x}\n"
        for region in board.regions
    )


def _role_sections(board: Board, role: Role) -> str:
    """Output sections of a role that the compiler places: later regions first, since the bare name takes the rest."""
    regions = board.roles[role]
    named = [_section(role, f".stw_{role.value}.in_{region.name}", region) for region in regions[1:]]
    return "".join([*named, _section(role, f".stw_{role.value}", regions[0])])


def _section(role: Role, name: str, region: Region) -> str:
    noload = "" if role.access is Access.READ_EXECUTE else " (NOLOAD)"
    return f"    {name}{noload} :\n    {{\n        *({name} {name}.*)\n    }} > {region.name}\n\n"


def _assertions(board: Board) -> str:
    stack = board.roles[Role.STACK][0]
    return (
        "ASSERT(__stw_stack_bytes % 8 == 0, "
        f'"stowage: the stack of board {board.name} must be a multiple of 8 bytes")\n'
        f"ASSERT(__stw_stack_top <= ORIGIN({stack.name}) + LENGTH({stack.name}), "
        f'"stowage: the stack does not fit into region {stack.name} of board {board.name}")\n'
    )
