/* SPDX-License-Identifier: Apache-2.0 */

/* DMA of boards that have no controller: the core copies before the start returns. The rules of handles are the same. */

#include "stowage_hal/dma.h"
#include "stowage_hal/memory.h"
#include "stw_board.h"

#if STW_BOARD_DMA_CHANNELS == 0

enum { CHANNELS = 8 };

/* One bit for each handle that has not been waited for. */
static uint32_t in_flight;

static int is_in_flight(int32_t handle) {
    return handle >= 0 && handle < CHANNELS && (in_flight >> handle & 1u) != 0u;
}

int32_t stw_hal_dma_start(void *to, const void *from, uint32_t size_bytes) {
    int32_t handle = 0;

    while (handle < CHANNELS && is_in_flight(handle)) {
        handle++;
    }
    if (handle == CHANNELS) {
        return -STW_HAL_DMA_BUSY;
    }
    memcpy(to, from, size_bytes);
    in_flight |= 1u << handle;
    return handle;
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
        in_flight &= ~(1u << handle);
    }
    return status;
}

uint32_t stw_hal_dma_channels(void) {
    return CHANNELS;
}

#endif
