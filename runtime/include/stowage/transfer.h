/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copies of weights into the arena that run beside the steps of a model (`stowage_model(prefetch = True)`). The generated
 * code starts each by stw_hal_dma_start, a step or more before the one that reads it, and asks stw_transfer_arrived right
 * before that. Until then no step touches the bytes that are on their way: the compiler has proved it of the program.
 *
 * A copy that fails ends the run with STW_DEVICE_ERROR, when none is in flight any more, so that the next run finds every
 * channel free.
 */
#ifndef STOWAGE_TRANSFER_H
#define STOWAGE_TRANSFER_H

#include "stowage/model.h"
#include "stowage_hal/dma.h"

/* Instead of a handle: no copy was started, or it was waited for. */
#define STW_NO_TRANSFER (-1)

/* Waits for a copy. Returns whether all of its bytes are there. */
static inline int stw_transfer_arrived(int32_t *transfer) {
    const enum stw_hal_dma_status status = stw_hal_dma_wait(*transfer);

    *transfer = STW_NO_TRANSFER;
    return status == STW_HAL_DMA_DONE;
}

/* Waits for all copies that are in flight, whatever becomes of them. Returns the status of the run. */
static inline enum stw_status stw_transfers_failed(const int32_t *transfers, uint32_t count) {
    for (uint32_t i = 0u; i < count; i++) {
        if (transfers[i] >= 0) {
            (void)stw_hal_dma_wait(transfers[i]);
        }
    }
    return STW_DEVICE_ERROR;
}

#endif /* STOWAGE_TRANSFER_H */
