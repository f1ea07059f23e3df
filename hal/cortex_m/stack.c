/* SPDX-License-Identifier: Apache-2.0 */
#include "stowage_hal/stack.h"

/* Made by the board's linker script. */
extern uint32_t __stw_stack_limit[], __stw_stack_top[];

static const uint32_t pattern = 0x57A0CA6Eu;

uint32_t stw_hal_stack_size_bytes(void) {
    return (uint32_t)__stw_stack_top - (uint32_t)__stw_stack_limit;
}

/* Paints from the limit up, so that it needs no stack of its own below the words that it writes. */
void stw_hal_stack_paint(void) {
    uint32_t *here;
    __asm__ volatile("mov %0, sp" : "=r"(here));
    for (volatile uint32_t *word = __stw_stack_limit; word < here; word++) {
        *word = pattern;
    }
}

uint32_t stw_hal_stack_high_water_bytes(void) {
    const volatile uint32_t *word = __stw_stack_limit;
    while (word < __stw_stack_top && *word == pattern) {
        word++;
    }
    return (uint32_t)__stw_stack_top - (uint32_t)word;
}
