/* SPDX-License-Identifier: Apache-2.0 */

/* DMA for tests of failures: the copy of a given number fails when it starts, or when it is waited for; all others are made. */

#include "stowage_hal/dma.h"
#include "stowage_hal/memory.h"

enum { CHANNELS = 8 };

int32_t failing_start = -1, failing_wait = -1, copies_in_flight, copies_started;

static int32_t numbers[CHANNELS];
static int taken[CHANNELS];

void failing_begin(int32_t start, int32_t wait);

void failing_begin(int32_t start, int32_t wait) {
    failing_start = start;
    failing_wait = wait;
    copies_started = 0;
}

int32_t stw_hal_dma_start(void *to, const void *from, uint32_t size_bytes) {
    const int32_t number = copies_started++;

    for (int32_t handle = 0; handle < CHANNELS && number != failing_start; handle++) {
        if (!taken[handle]) {
            taken[handle] = 1;
            numbers[handle] = number;
            copies_in_flight++;
            if (number != failing_wait) {
                memcpy(to, from, size_bytes);
            }
            return handle;
        }
    }
    return -STW_HAL_DMA_BUSY;
}

enum stw_hal_dma_status stw_hal_dma_wait(int32_t handle) {
    if (handle < 0 || !taken[handle]) {
        return STW_HAL_DMA_UNKNOWN;
    }
    taken[handle] = 0;
    copies_in_flight--;
    return numbers[handle] == failing_wait ? STW_HAL_DMA_ERROR : STW_HAL_DMA_DONE;
}
