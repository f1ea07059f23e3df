/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_MPU_H
#define STOWAGE_HAL_MPU_H

#include <stdint.h>

/* One region of the memory protection unit as its registers take it: base, then RASR (PMSAv7) or RLAR (PMSAv8). */
struct stw_mpu_region {
    uint32_t rbar;
    uint32_t attributes;
};

/* Allows what the board's memory map says and nothing else. Does nothing on a core without an MPU. */
void stw_mpu_enable(void);

#endif
