# SPDX-License-Identifier: Apache-2.0
"""Generates the C table with which a board's image sets up its memory protection unit."""

from __future__ import annotations

from stowage.target.board import Board
from stowage.target.core import MpuKind
from stowage.target.mpu_registers import MAIR0, MpuRegion, mpu_regions


def mpu_header(board: Board) -> str:
    """The text of `stw_board_mpu.h`, which `hal/cortex_m/mpu.c` includes.

    Raises:
        InvalidBoard: the memory map takes more regions than the core's MPU has.
    """
    regions = mpu_regions(board)
    return "\n".join(
        (
            "/* SPDX-License-Identifier: Apache-2.0 */",
            f"/* What the MPU of board {board.name} allows. Generated from its board.textproto. */",
            "#ifndef STW_BOARD_MPU_H",
            "#define STW_BOARD_MPU_H",
            "",
            f"#define STW_BOARD_MPU_REGIONS {len(regions)}",
            *(_table(board, regions) if regions else ()),
            "",
            "#endif",
            "",
        )
    )


def _table(board: Board, regions: tuple[MpuRegion, ...]) -> list[str]:
    mair = [f"#define STW_BOARD_MPU_MAIR0 {MAIR0:#010x}u"] if board.core.mpu is MpuKind.PMSAV8 else []
    second = "RLAR" if mair else "RASR"
    return [
        *mair,
        "",
        f"/* RBAR and {second} of each region, by number. */",
        "static const struct stw_mpu_region stw_board_mpu_regions[STW_BOARD_MPU_REGIONS] = {",
        *(_line(region) for region in regions),
        "};",
    ]


def _line(region: MpuRegion) -> str:
    span = region.range.span
    what = f"{region.range.purpose}: {region.range.permission.value}"
    where = f"{span.base:#010x} to {span.end - 1:#010x}"
    return f"    {{{region.rbar:#010x}u, {region.attributes:#010x}u}}, /* {where}: {what} */"
