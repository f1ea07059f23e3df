/* SPDX-License-Identifier: Apache-2.0 */

/* An emulator's memory is zero when it starts, a device's is not. So the suite spoils its variables and starts again. */

#include <stdint.h>

#include "hal/conformance/check.h"

#if defined(__arm__)

#include "hal/cortex_m/reset.h"
#include "stowage_hal/memory.h"

enum { RESTARTED = 0x5EC07D, SPOILT = 0xEE };

/* Made by the board's linker script. */
extern unsigned char __stw_data_start[], __stw_data_end[], __stw_bss_start[], __stw_bss_end[];

/* Arenas are neither initialised nor cleared, so this outlives a start. */
__attribute__((section(".stw_arena.restart"))) static volatile uint32_t state;

void restart_with_spoilt_memory(void) {
    if (state == RESTARTED) {
        return;
    }
    state = RESTARTED;
    memset(__stw_data_start, SPOILT, (size_t)(__stw_data_end - __stw_data_start));
    memset(__stw_bss_start, SPOILT, (size_t)(__stw_bss_end - __stw_bss_start));
    stw_reset();
}

#else

void restart_with_spoilt_memory(void) {
}

#endif
