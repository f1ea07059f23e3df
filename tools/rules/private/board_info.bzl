# SPDX-License-Identifier: Apache-2.0
"""What a board tells the rules that build for it."""

BoardInfo = provider(
    doc = "A board, with the reservations of one kind of image, and what is generated from its board file.",
    fields = {
        "name": "string: the name of the `stowage_board` target.",
        "textproto": "File: the board file.",
        "reserve": "list of strings: names of the reservations that images for it leave alone.",
        "core": "string: the processor core, for instance `cortex_m4f`; `host` for the machine that builds.",
        "linker_script": "File: GNU ld's linker script. Of no use for the host.",
        "headers": "list of Files: `stw_board.h` and `stw_board_mpu.h`; the target's CcInfo has their include path.",
        "execution": "File: how an image is executed, as JSON for `//tools/qemu:run`.",
    },
)
