/* SPDX-License-Identifier: Apache-2.0 */
/* What the MPU of board nrf52 allows. Generated from its board.textproto. */
#ifndef STW_BOARD_MPU_H
#define STW_BOARD_MPU_H

#define STW_BOARD_MPU_REGIONS 4

/* RBAR and RASR of each region, by number. */
static const struct stw_mpu_region stw_board_mpu_regions[STW_BOARD_MPU_REGIONS] = {
    {0x00000000u, 0x06020027u}, /* 0x00000000 to 0x000fffff: flash: read, execute */
    {0x20000000u, 0x130b0023u}, /* 0x20000000 to 0x2003ffff: sram: read, write */
    {0x40000000u, 0x13050039u}, /* 0x40000000 to 0x5fffffff: peripherals: read, write, in order and uncached */
    {0x20003000u, 0x1000000fu}, /* 0x20003000 to 0x200030ff: stack guard: nothing */
};

#endif
