/* SPDX-License-Identifier: Apache-2.0 */

/* The least firmware of a model whose weights DMA brings: it says whether the run came to its end. */

#include "digits_prefetched.h"
#include "stowage_hal/hal.h"

int main(void) {
    stw_hal_init();
    stw_hal_print_text("run ");
    const enum stw_status status = digits_prefetched_run(digits_prefetched_arena);
    stw_hal_print_s32((int32_t)status);
    stw_hal_print_text("\n");
    return status == STW_OK ? 0 : 1;
}
