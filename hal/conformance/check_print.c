/* SPDX-License-Identifier: Apache-2.0 */

/* Writes numbers whose text the test knows. */

#include "hal/conformance/check.h"
#include "stowage_hal/console.h"

static void print_u64(uint64_t value) {
    stw_hal_print_u64(value);
    stw_hal_print_text(" ");
}

static void print_s32(int32_t value) {
    stw_hal_print_s32(value);
    stw_hal_print_text(" ");
}

void check_print(void) {
    stw_hal_print_text("numbers ");
    print_u64(0);
    print_u64(9);
    print_u64(10);
    print_u64(1234567890123456789u);
    print_u64(18446744073709551615u);
    print_s32(0);
    print_s32(-1);
    print_s32(2147483647);
    print_s32(-2147483647 - 1);
    stw_hal_print_hex_u32(0);
    stw_hal_print_hex_u32(0x89ABCDEFu);
    stw_hal_print_text("\n");
    stw_hal_console_write("by length\nnot this", 10);
    stw_hal_print_text("");
}
