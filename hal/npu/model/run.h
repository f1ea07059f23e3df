/* SPDX-License-Identifier: Apache-2.0 */
/* What the parts of the model share: a stream on its way through the machine. */
#ifndef STOWAGE_HAL_NPU_RUN_H
#define STOWAGE_HAL_NPU_RUN_H

#include <stdbool.h>
#include <stdint.h>

#include "hal/npu/model/machine.h"

struct stw_npu_run {
    const struct stw_npu_machine *machine;
    struct stw_npu_registers *registers;
    uint32_t dma_banks;    /* a bit for each bank that this step's copies use */
    uint32_t engine_banks; /* likewise its command for the engine */
    uint64_t dma_cycles;   /* of this step */
    uint64_t engine_cycles;
    uint64_t cycles; /* of all steps before */
};

/* What an element becomes at the end: clamped to [lowest, highest] after the zero point is added. */
struct stw_npu_output {
    int32_t zero_point;
    int32_t lowest;
    int32_t highest;
    uint32_t rounding;
};

/*
 * `bytes` bytes of a bank, for a stream of the engine that has the bank's port to itself in this step; NULL with the error set
 * where they are beyond it or the port is taken.
 */
uint8_t *stw_npu_engine_stream(struct stw_npu_run *run, uint32_t address, uint64_t bytes,
                               enum stw_npu_error *error);

/* The commands. */
enum stw_npu_error stw_npu_copy(struct stw_npu_run *run, const uint32_t *words, bool out);
enum stw_npu_error stw_npu_conv2d(struct stw_npu_run *run, const uint32_t *words);
enum stw_npu_error stw_npu_depthwise(struct stw_npu_run *run, const uint32_t *words);
enum stw_npu_error stw_npu_fully_connected(struct stw_npu_run *run, const uint32_t *words);
enum stw_npu_error stw_npu_max_pool(struct stw_npu_run *run, const uint32_t *words);
enum stw_npu_error stw_npu_average_pool(struct stw_npu_run *run, const uint32_t *words);
enum stw_npu_error stw_npu_add(struct stw_npu_run *run, const uint32_t *words);
enum stw_npu_error stw_npu_requantise(struct stw_npu_run *run, const uint32_t *words);

/* Two fields that commands share: zero point, lowest and highest from bit 8 on, in a byte each; and the rounding. */
enum stw_npu_error stw_npu_read_output(uint32_t packed, uint32_t rounding, struct stw_npu_output *output);

/* A little-endian word of a bank. */
int32_t stw_npu_word(const uint8_t *bytes);

/* Quotients, rounded up. */
static inline uint64_t stw_npu_ceil(uint64_t number, uint64_t divisor) {
    return (number + divisor - 1u) / divisor;
}

#endif
