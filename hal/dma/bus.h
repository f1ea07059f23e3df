/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_DMA_BUS_H
#define STOWAGE_HAL_DMA_BUS_H

#include <stdint.h>

#include "hal/cortex_m/system_control.h"

/* How a driver reaches its device: apart from the driver, so that a test can put a model in the device's place. */

#define STW_BUS_NVIC_ISER 0xE000E100u

static inline uint32_t stw_bus_read(uint32_t address) {
    return STW_REGISTER(address);
}

static inline void stw_bus_write(uint32_t address, uint32_t value) {
    STW_REGISTER(address) = value;
}

/* All that was written to memory is there for other masters, and none of what follows has been read yet. */
static inline void stw_bus_barrier(void) {
    stw_barrier();
}

/* Between two looks at what an interrupt changes. */
static inline void stw_bus_pause(void) {
}

/* Lets an interrupt of the chip through to the core. */
static inline void stw_bus_enable_interrupt(uint32_t number) {
    STW_REGISTER(STW_BUS_NVIC_ISER + 4u * (number / 32u)) = 1u << number % 32u;
}

#endif
