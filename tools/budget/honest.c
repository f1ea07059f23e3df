/* SPDX-License-Identifier: Apache-2.0 */
/* A firmware that runs its model. */
#include "digits.h"
#include "stowage_hal/hal.h"

int main(void) {
    stw_hal_init();
    return digits_run(digits_arena) == STW_OK ? 0 : 1;
}
