/* SPDX-License-Identifier: Apache-2.0 */

/* What every board's HAL has to do, as an image: exit status 0 if it does, 1 otherwise. */

#include "hal/conformance/check.h"
#include "stowage_hal/console.h"
#include "stowage_hal/init.h"

static int failures;

void check(const char *what, int holds) {
    stw_hal_print_text(holds ? "ok " : "FAILED ");
    stw_hal_print_text(what);
    stw_hal_print_text("\n");
    failures += !holds;
}

int main(void) {
    restart_with_spoilt_memory();
    stw_hal_init();
    check_sections();
    check_regions();
    check_memory_functions();
    check_print();
    check_arithmetic();
    check_counter();
    check_stack();
    check_dma();
    stw_hal_print_text("end of suite\n");
    return failures != 0;
}
