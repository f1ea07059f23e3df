/* SPDX-License-Identifier: Apache-2.0 */
#include "stowage_hal/console.h"

#include <stdio.h>

#include "stowage_hal/init.h"

void stw_hal_init(void) {
    setvbuf(stdout, NULL, _IONBF, 0);
}

void stw_hal_console_write(const char *text, size_t size_bytes) {
    fwrite(text, 1, size_bytes, stdout);
}
