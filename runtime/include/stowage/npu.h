/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_NPU_H
#define STOWAGE_NPU_H

#include <stdint.h>

/* What a model asks of the driver of the board's neural processing unit (hal/npu/README.md). */

#define STW_HAL_NPU_WINDOWS 8

/* Why a stream did not run to its end; those up to 99 are the NPU's own, by hal/npu/registers.h. */
#define STW_HAL_NPU_OK 0
#define STW_HAL_NPU_ABSENT 100 /* there is no NPU of this version where the board says that there is one */
#define STW_HAL_NPU_LOST 101   /* it did not answer in time */

/* A piece of memory that a stream reads, or one that it writes. */
struct stw_hal_npu_window {
    const void *base;
    uint32_t size_bytes;
    uint32_t is_written;
};

struct stw_hal_npu_job {
    const uint32_t *stream;
    uint32_t stream_words;
    uint32_t windows;
    struct stw_hal_npu_window window[STW_HAL_NPU_WINDOWS];
};

/*
 * Runs a stream and waits until it has ended: 0, or why it failed. After a failure the bytes of what it writes are any, and the
 * next stream runs as if nothing had been.
 */
int32_t stw_hal_npu_run(const struct stw_hal_npu_job *job);

/* Cycles of the last stream, by the NPU's timing. */
uint64_t stw_hal_npu_cycles(void);

#endif
