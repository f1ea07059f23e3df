/* SPDX-License-Identifier: Apache-2.0 */
/* The first core's side: starts the second as the NPU, carries doorbells to it, sleeps until it answers. */
#include <stddef.h>

#include "hal/npu/port.h"
#include "hal/npu/second_core/message_unit.h"
#include "stw_board.h"

/* Other interrupts that may wake this core before the NPU counts as lost: SysTick comes every 2^24 cycles. */
#define MOST_WAKES 4000u

/* Of firmware.c. */
extern const uint32_t stw_npu_core_vectors[];

static bool is_started;

static struct stw_npu_registers *registers(void) {
    return (struct stw_npu_registers *)STW_NPU_BASE;
}

static inline uint32_t mask_interrupts(void) {
    uint32_t before;

    __asm__ volatile("mrs %0, primask\n\tcpsid i" : "=r"(before)::"memory");
    return before;
}

static inline void restore_interrupts(uint32_t before) {
    __asm__ volatile("msr primask, %0\n\tisb" ::"r"(before) : "memory");
}

/* Lets handlers run that wait for this core, but for the NPU's, which has none. */
static inline void serve_others(uint32_t before) {
    STW_NVIC_ICER0 = STW_MHU_LINE;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    restore_interrupts(before);
    (void)mask_interrupts();
    STW_NVIC_ISER0 = STW_MHU_LINE;
}

bool stw_npu_port_wait(void) {
    const uint32_t before = mask_interrupts();
    bool has_come = false;

    STW_NVIC_ISER0 = STW_MHU_LINE;
    for (uint32_t wakes = 0u; wakes < MOST_WAKES && !has_come; wakes++) {
        if (STW_MHU_FLAGS(0u) == 0u) {
            __asm__ volatile("dsb\n\twfi" ::: "memory");
        }
        has_come = stw_message_take(0u);
        if (!has_come) {
            serve_others(before);
        }
    }
    STW_NVIC_ICER0 = STW_MHU_LINE;
    restore_interrupts(before);
    return has_come;
}

void stw_npu_port_ring(void) {
    stw_message_send(1u);
}

struct stw_npu_registers *stw_npu_port_registers(void) {
    if (!is_started) {
        is_started = true;
        registers()->id = 0u;
        STW_INITSVTOR1 = (uint32_t)stw_npu_core_vectors;
        __asm__ volatile("dsb" ::: "memory");
        STW_CPUWAIT = 0u;
        (void)stw_npu_port_wait();
    }
    return registers();
}
