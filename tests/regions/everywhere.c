/* SPDX-License-Identifier: Apache-2.0 */
/* The least firmware of a model with an arena in each of a chip's memories; their clocks and controllers are left off. */
#include "digits_everywhere.h"
#include "stowage_hal/hal.h"

int main(void) {
    stw_hal_init();
    return (int)digits_everywhere_run(digits_everywhere_arena, digits_everywhere_arena_itcm,
                                      digits_everywhere_arena_fast, digits_everywhere_arena_sram_d2,
                                      digits_everywhere_arena_sram_d3, digits_everywhere_arena_sdram);
}
