/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/cortex_m/mpu.h"

#include "hal/cortex_m/system_control.h"
#include "stw_board_mpu.h"

void stw_mpu_enable(void) {
#if STW_BOARD_MPU_REGIONS > 0
#ifdef STW_BOARD_MPU_MAIR0
    STW_MPU_MAIR0 = STW_BOARD_MPU_MAIR0;
#endif
    for (uint32_t i = 0; i < STW_BOARD_MPU_REGIONS; i++) {
        STW_MPU_RNR = i;
        STW_MPU_RBAR = stw_board_mpu_regions[i].rbar;
        STW_MPU_RASR_RLAR = stw_board_mpu_regions[i].attributes;
    }
    STW_MPU_CTRL = STW_MPU_CTRL_ENABLE; /* without PRIVDEFENA: what no region allows is refused */
    stw_barrier();
#endif
}
