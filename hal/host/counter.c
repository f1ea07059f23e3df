/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 199309L
#include "stowage_hal/counter.h"

#include <time.h>

static uint64_t start_ns;

static uint64_t now_ns(void) {
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

void stw_hal_counter_start(void) {
    start_ns = now_ns();
}

uint64_t stw_hal_counter_read(void) {
    return now_ns() - start_ns;
}

const char *stw_hal_counter_unit(void) {
    return "nanoseconds";
}
