/* SPDX-License-Identifier: Apache-2.0 */
/* The model's DMA, and how streams take the ports of banks. */
#include <stddef.h>

#include "hal/npu/model/run.h"
#include "hal/npu/stream.h"

/* A copy of lines between a window and a bank, in bytes. */
struct copy {
    uint64_t window_at;
    uint32_t bank;
    uint64_t bank_at;
    uint64_t line;
    uint64_t lines;
    uint64_t window_stride;
    uint64_t bank_stride;
};

int32_t stw_npu_word(const uint8_t *bytes) {
    return (int32_t)((uint32_t)bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16 |
                     (uint32_t)bytes[3] << 24);
}

static uint8_t *bank_bytes(const struct stw_npu_machine *machine, uint32_t bank, uint64_t at) {
    return machine->memory + (size_t)bank * machine->bank_bytes + (size_t)at;
}

uint8_t *stw_npu_engine_stream(struct stw_npu_run *run, uint32_t address, uint64_t bytes,
                               enum stw_npu_error *error) {
    const uint32_t bank = STW_NPU_BANK(address);

    if (bank >= run->machine->banks || STW_NPU_OFFSET(address) + bytes > run->machine->bank_bytes) {
        *error = STW_NPU_BAD_BANK;
        return NULL;
    }
    if (((run->engine_banks | run->dma_banks) >> bank & 1u) != 0u) {
        *error = STW_NPU_BANK_CONFLICT;
        return NULL;
    }
    run->engine_banks |= 1u << bank;
    return bank_bytes(run->machine, bank, STW_NPU_OFFSET(address));
}

static enum stw_npu_error check_copy(const struct stw_npu_run *run, const struct copy *c,
                                     const struct stw_npu_window *window, uint32_t access) {
    const uint64_t window_end = c->window_at + (c->lines - 1u) * c->window_stride + c->line;
    const uint64_t bank_end = c->bank_at + (c->lines - 1u) * c->bank_stride + c->line;

    if (window->access != access || window_end > window->size_bytes) {
        return STW_NPU_BAD_WINDOW;
    }
    if (c->bank >= run->machine->banks || bank_end > run->machine->bank_bytes) {
        return STW_NPU_BAD_BANK;
    }
    return (run->engine_banks >> c->bank & 1u) == 0u ? STW_NPU_OK : STW_NPU_BANK_CONFLICT;
}

static void move(const struct stw_npu_run *run, const struct copy *c, uint8_t *system, bool out) {
    for (uint64_t line = 0; line < c->lines; line++) {
        uint8_t *outside = system + (size_t)(c->window_at + line * c->window_stride);
        uint8_t *inside = bank_bytes(run->machine, c->bank, c->bank_at + line * c->bank_stride);

        for (size_t i = 0; i < c->line; i++) {
            if (out) {
                outside[i] = inside[i];
            } else {
                inside[i] = outside[i];
            }
        }
    }
}

enum stw_npu_error stw_npu_copy(struct stw_npu_run *run, const uint32_t *words, bool out) {
    const struct copy c = {
        words[2], STW_NPU_BANK(words[3]), STW_NPU_OFFSET(words[3]), words[4], words[5], words[6], words[7]};
    const struct stw_npu_window *window = &run->registers->window[words[1] % STW_NPU_WINDOWS];
    enum stw_npu_error error;

    if (words[1] >= STW_NPU_WINDOWS || c.line == 0u || c.lines == 0u || c.lines > 0xFFFFu) {
        return STW_NPU_BAD_FIELD;
    }
    error = check_copy(run, &c, window, out ? STW_NPU_ACCESS_WRITE : STW_NPU_ACCESS_READ);
    if (error != STW_NPU_OK) {
        return error;
    }
    move(run, &c, (uint8_t *)(uintptr_t)((uint64_t)window->base_high << 32 | window->base_low), out);
    run->dma_banks |= 1u << c.bank;
    run->dma_cycles += STW_NPU_COPY_CYCLES + c.lines * stw_npu_ceil(c.line, run->machine->dma_bytes);
    return STW_NPU_OK;
}
