/* SPDX-License-Identifier: Apache-2.0 */

/* The high-water mark is where the stack has been, to the word. */

#include <stdint.h>

#include "hal/conformance/check.h"
#include "stowage_hal/stack.h"

#if defined(__arm__)

extern const uint32_t __stw_stack_limit[], __stw_stack_top[];

static uint32_t depth_now(void) {
    uint32_t sp;
    __asm__ volatile("mov %0, sp" : "=r"(sp));
    return (uint32_t)__stw_stack_top - sp;
}

/* Writes one word 400 bytes below the stack pointer, as a deep call would. */
static void reach_down(void) {
    __asm__ volatile(".syntax unified\n\t"
                     "sub sp, #400\n\t"
                     "str r0, [sp]\n\t"
                     "add sp, #400" ::
                         : "memory");
}

void check_stack(void) {
    check("stack has its size",
          stw_hal_stack_size_bytes() == (uint32_t)__stw_stack_top - (uint32_t)__stw_stack_limit);
    check("stack was painted at reset", stw_hal_stack_high_water_bytes() < stw_hal_stack_size_bytes());
    stw_hal_stack_paint();
    uint32_t painted = stw_hal_stack_high_water_bytes();
    uint32_t here = depth_now();
    check("stack is not deep after painting", painted >= here && painted < here + 64u);
    reach_down();
    check("high-water mark is exact", stw_hal_stack_high_water_bytes() == here + 400u);
    stw_hal_stack_paint();
    check("painting again forgets", stw_hal_stack_high_water_bytes() == painted);
}

#else

void check_stack(void) {
    check("nothing is known of the stack",
          stw_hal_stack_size_bytes() == 0 && stw_hal_stack_high_water_bytes() == 0);
}

#endif
