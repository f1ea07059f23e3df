/* SPDX-License-Identifier: Apache-2.0 */
/* What the MPU of board host allows. Generated from its board.textproto. */
#ifndef STW_BOARD_MPU_H
#define STW_BOARD_MPU_H

#define STW_BOARD_MPU_REGIONS 0

#endif
