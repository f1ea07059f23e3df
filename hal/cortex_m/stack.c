/* SPDX-License-Identifier: Apache-2.0 */
#include "stowage_hal/stack.h"

#define PATTERN 0x57A0CA6E

/* Made by the board's linker script. */
extern const uint32_t __stw_stack_limit[], __stw_stack_top[];

#define TEXT_OF(macro) TEXT(macro)
#define TEXT(tokens) #tokens

uint32_t stw_hal_stack_size_bytes(void) {
    return (uint32_t)__stw_stack_top - (uint32_t)__stw_stack_limit;
}

/* In assembly, so that there is no frame of its own that it could paint over. */
__attribute__((naked)) void stw_hal_stack_paint(void) {
    __asm__ volatile(".syntax unified\n\t"
                     "ldr r0, =__stw_stack_limit\n\t"
                     "ldr r1, =" TEXT_OF(PATTERN) "\n\t"
                                                  "mov r2, sp\n\t"
                                                  "b 2f\n"
                                                  "1:\n\t"
                                                  "str r1, [r0]\n\t"
                                                  "adds r0, #4\n"
                                                  "2:\n\t"
                                                  "cmp r0, r2\n\t"
                                                  "blo 1b\n\t"
                                                  "bx lr\n\t"
                                                  ".ltorg");
}

uint32_t stw_hal_stack_high_water_bytes(void) {
    const volatile uint32_t *word = __stw_stack_limit;
    while (word < __stw_stack_top && *word == PATTERN) {
        word++;
    }
    return (uint32_t)__stw_stack_top - (uint32_t)word;
}
