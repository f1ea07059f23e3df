/* SPDX-License-Identifier: Apache-2.0 */
#include "stowage_hal/stack.h"

/* The stack is the operating system's: nothing is known of it. */

uint32_t stw_hal_stack_size_bytes(void) {
    return 0;
}

void stw_hal_stack_paint(void) {
}

uint32_t stw_hal_stack_high_water_bytes(void) {
    return 0;
}
