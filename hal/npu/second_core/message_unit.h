/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What the two ports of this folder share: Arm's SSE-200 subsystem, with two Cortex-M33 in the secure state.
 *
 * Names are those of Arm's CoreLink SSE-200 Technical Reference Manual. Message handling unit 0 has a flag register for each core,
 * whose interrupt is line 6 of that core. A core that sleeps here takes no interrupt: a pending one wakes it, and that is all.
 */
#ifndef STOWAGE_HAL_NPU_MESSAGE_UNIT_H
#define STOWAGE_HAL_NPU_MESSAGE_UNIT_H

#include <stdbool.h>
#include <stdint.h>

#define STW_MESSAGE_REGISTER(address) (*(volatile uint32_t *)(address))

#define STW_MHU0 0x50003000u
#define STW_MHU_FLAGS(core) STW_MESSAGE_REGISTER(STW_MHU0 + 0x10u * (core))
#define STW_MHU_SET(core) STW_MESSAGE_REGISTER(STW_MHU0 + 0x10u * (core) + 0x4u)
#define STW_MHU_CLEAR(core) STW_MESSAGE_REGISTER(STW_MHU0 + 0x10u * (core) + 0x8u)
#define STW_MHU_LINE (1u << 6)

#define STW_INITSVTOR1 STW_MESSAGE_REGISTER(0x50021114u)
#define STW_CPUWAIT STW_MESSAGE_REGISTER(0x50021118u)

/* The core's own interrupt controller (Armv8-M Architecture Reference Manual). */
#define STW_NVIC_ISER0 STW_MESSAGE_REGISTER(0xE000E100u)
#define STW_NVIC_ICER0 STW_MESSAGE_REGISTER(0xE000E180u)
#define STW_NVIC_ICPR0 STW_MESSAGE_REGISTER(0xE000E280u)

static inline void stw_message_send(uint32_t core) {
    __asm__ volatile("dsb" ::: "memory");
    STW_MHU_SET(core) = 1u;
}

/* Takes the message that has come to this core, if one has. */
static inline bool stw_message_take(uint32_t core) {
    if (STW_MHU_FLAGS(core) == 0u) {
        return false;
    }
    STW_MHU_CLEAR(core) = 1u;
    STW_NVIC_ICPR0 = STW_MHU_LINE;
    __asm__ volatile("dsb" ::: "memory");
    return true;
}

#endif
