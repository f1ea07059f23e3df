/* SPDX-License-Identifier: Apache-2.0 */
/* What the MPU of board mps3_an547 allows. Generated from its board.textproto. */
#ifndef STW_BOARD_MPU_H
#define STW_BOARD_MPU_H

#define STW_BOARD_MPU_REGIONS 7
#define STW_BOARD_MPU_MAIR0 0x0004ffaau

/* RBAR and RLAR of each region, by number. */
static const struct stw_mpu_region stw_board_mpu_regions[STW_BOARD_MPU_REGIONS] = {
    {0x00000206u, 0x0007ffe1u}, /* 0x00000200 to 0x0007ffff: itcm: read, execute */
    {0x01000006u, 0x011fffe1u}, /* 0x01000000 to 0x011fffff: sram: read, execute */
    {0x20000003u, 0x2007ffe3u}, /* 0x20000000 to 0x2007ffff: dtcm: read, write */
    {0x21000003u, 0x213fffe3u}, /* 0x21000000 to 0x213fffff: isram: read, write */
    {0x60000006u, 0x63ffffe1u}, /* 0x60000000 to 0x63ffffff: ddr_image: read, execute */
    {0x64000003u, 0x6fffffe3u}, /* 0x64000000 to 0x6fffffff: ddr: read, write */
    {0x40000003u, 0x5fffffe5u}, /* 0x40000000 to 0x5fffffff: peripherals: read, write, in order and uncached */
};

#endif
