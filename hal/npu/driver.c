/* SPDX-License-Identifier: Apache-2.0 */
/* The NPU's driver: registers and one interrupt, whatever is behind them. */
#include <stddef.h>

#include "hal/npu/port.h"
#include "hal/npu/registers.h"
#include "stowage/npu.h"

static uint32_t low_word(const void *pointer) {
    return (uint32_t)(uintptr_t)pointer;
}

static uint32_t high_word(const void *pointer) {
    return (uint32_t)((uint64_t)(uintptr_t)pointer >> 32);
}

static void open_window(struct stw_npu_window *window, const struct stw_hal_npu_window *wanted) {
    window->base_low = low_word(wanted->base);
    window->base_high = high_word(wanted->base);
    window->size_bytes = wanted->size_bytes;
    window->access = wanted->is_written ? STW_NPU_ACCESS_WRITE : STW_NPU_ACCESS_READ;
}

/* A window without bytes. */
static void shut_window(struct stw_npu_window *window) {
    window->size_bytes = 0u;
    window->access = 0u;
}

static void give(struct stw_npu_registers *registers, const struct stw_hal_npu_job *job) {
    for (uint32_t i = 0u; i < STW_NPU_WINDOWS; i++) {
        if (i < job->windows) {
            open_window(&registers->window[i], &job->window[i]);
        } else {
            shut_window(&registers->window[i]);
        }
    }
    registers->queue_low = low_word(job->stream);
    registers->queue_high = high_word(job->stream);
    registers->queue_words = job->stream_words;
    registers->control = STW_NPU_CONTROL_INTERRUPT;
    registers->interrupt = 0u;
    registers->doorbell = 1u;
}

int32_t stw_hal_npu_run(const struct stw_hal_npu_job *job) {
    struct stw_npu_registers *registers = stw_npu_port_registers();

    if (registers->id != STW_NPU_ID) {
        return STW_HAL_NPU_ABSENT;
    }
    give(registers, job);
    stw_npu_port_ring();
    if (!stw_npu_port_wait() || registers->status == STW_NPU_BUSY) {
        return STW_HAL_NPU_LOST;
    }
    registers->interrupt = 0u;
    return registers->status == STW_NPU_DONE ? STW_HAL_NPU_OK : (int32_t)registers->error;
}

uint64_t stw_hal_npu_cycles(void) {
    const struct stw_npu_registers *registers = stw_npu_port_registers();

    return (uint64_t)registers->cycles_high << 32 | registers->cycles_low;
}
