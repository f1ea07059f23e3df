/* SPDX-License-Identifier: Apache-2.0 */
#include "stowage_hal/counter.h"

#include "hal/cortex_m/port.h"

static uint64_t start_ticks;
static uint64_t overhead;

/* ticks * scale / 2^31 to the nearest, in two halves since the product has up to 96 bits. */
static uint64_t scale(uint64_t ticks) {
    uint64_t factor = stw_port_counter_scale_q31;
    uint64_t high = (ticks >> 32) * factor << 1;
    uint64_t low = ((ticks & 0xFFFFFFFFu) * factor + (1u << 30)) >> 31;
    return high + low;
}

void stw_hal_counter_start(void) {
    stw_port_counter_start();
    overhead = 0;
    start_ticks = stw_port_counter_ticks();
    overhead = stw_hal_counter_read();
    start_ticks = stw_port_counter_ticks();
}

/* Not inlined, so that it costs the same wherever it is called: what stw_hal_counter_start measures. */
__attribute__((noinline)) uint64_t stw_hal_counter_read(void) {
    uint64_t elapsed = stw_port_counter_ticks() - start_ticks;
    uint64_t spent = scale(elapsed) - stw_port_counter_intrusion();
    return spent > overhead ? spent - overhead : 0;
}

const char *stw_hal_counter_unit(void) {
    return stw_port_counter_unit();
}
