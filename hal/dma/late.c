/* SPDX-License-Identifier: Apache-2.0 */

/* DMA for tests of who waits: copies that come as late as they may. What a copy is to bring is spoilt when it starts, and brought
 * when it is waited for, from what the source holds then; so whoever reads it early, writes it early, or changes the source while
 * a copy is in flight gets a wrong answer. In place of //hal:dma, on any board. */

#include "stowage_hal/dma.h"
#include "stowage_hal/memory.h"

enum { CHANNELS = 8, SPOILT_BYTE = 0xC3 };

struct copy {
    void *to;
    const void *from;
    uint32_t size_bytes;
    int is_in_flight;
};

static struct copy copies[CHANNELS];

static int is_in_flight(int32_t handle) {
    return handle >= 0 && handle < CHANNELS && copies[handle].is_in_flight;
}

int32_t stw_hal_dma_start(void *to, const void *from, uint32_t size_bytes) {
    for (int32_t handle = 0; handle < CHANNELS; handle++) {
        if (!is_in_flight(handle)) {
            copies[handle] = (struct copy){to, from, size_bytes, 1};
            memset(to, SPOILT_BYTE, size_bytes);
            return handle;
        }
    }
    return -STW_HAL_DMA_BUSY;
}

enum stw_hal_dma_status stw_hal_dma_poll(int32_t handle) {
    if (handle < 0) {
        return (enum stw_hal_dma_status) - handle;
    }
    return is_in_flight(handle) ? STW_HAL_DMA_DONE : STW_HAL_DMA_UNKNOWN;
}

enum stw_hal_dma_status stw_hal_dma_wait(int32_t handle) {
    const enum stw_hal_dma_status status = stw_hal_dma_poll(handle);

    if (status == STW_HAL_DMA_DONE) {
        memcpy(copies[handle].to, copies[handle].from, copies[handle].size_bytes);
        copies[handle].is_in_flight = 0;
    }
    return status;
}

uint32_t stw_hal_dma_channels(void) {
    return CHANNELS;
}
