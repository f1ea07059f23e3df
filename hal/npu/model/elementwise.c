/* SPDX-License-Identifier: Apache-2.0 */
/* The model's element-by-element commands: sum and requantisation by table. */
#include <stddef.h>

#include "hal/npu/model/run.h"
#include "hal/npu/stream.h"
#include "stowage/core/requantise.h"

/* TensorFlow Lite takes operands 20 bits to the left before it scales them. */
#define SUMMAND_SHIFT 20

struct sum {
    struct stw_npu_output result;
    int32_t a_multiplier, b_multiplier, multiplier;
    int32_t offset, shift;              /* where it rounds once */
    int32_t a_zero_point, b_zero_point; /* where it rounds twice */
    int32_t a_right, b_right, right;
};

static int32_t packed(uint32_t word, uint32_t index) {
    return (int32_t)(word >> (8u * index) & 0xFFu);
}

static enum stw_npu_error read_sum(const uint32_t *words, struct sum *sum) {
    const enum stw_npu_error error = stw_npu_read_output(words[6], words[5], &sum->result);
    const bool twice = words[5] == STW_ROUNDING_DOUBLE;

    sum->a_multiplier = (int32_t)words[7];
    sum->b_multiplier = (int32_t)words[8];
    sum->offset = (int32_t)words[9];
    sum->a_zero_point = (int8_t)packed(words[9], 0u);
    sum->b_zero_point = (int8_t)packed(words[9], 1u);
    sum->shift = (int32_t)(words[10] & 0xFFFFu);
    sum->a_right = packed(words[10], 0u);
    sum->b_right = packed(words[10], 1u);
    sum->right = packed(words[10], 2u);
    sum->multiplier = (int32_t)words[11];
    if (error != STW_NPU_OK || words[5] > STW_ROUNDING_DOUBLE || words[4] == 0u) {
        return STW_NPU_BAD_FIELD;
    }
    if (twice ? sum->a_right > 31 || sum->b_right > 31 || sum->right > 31
              : sum->shift < 1 || sum->shift > 31) {
        return STW_NPU_BAD_FIELD;
    }
    return STW_NPU_OK;
}

static int32_t summand(int32_t centred, int32_t multiplier, int32_t right) {
    return stw_requantise_double_right(centred * ((int32_t)1 << SUMMAND_SHIFT), multiplier, right);
}

static int64_t add_twice_rounded(const struct sum *s, int8_t a, int8_t b) {
    const int32_t x = summand(a - s->a_zero_point, s->a_multiplier, s->a_right);
    const int32_t y = summand(b - s->b_zero_point, s->b_multiplier, s->b_right);

    return stw_requantise_double_right(x + y, s->multiplier, s->right);
}

static int64_t add_once_rounded(const struct sum *s, int8_t a, int8_t b) {
    return (s->offset + (int64_t)a * s->a_multiplier + (int64_t)b * s->b_multiplier) >> s->shift;
}

static int8_t clamped(const struct stw_npu_output *output, int64_t value) {
    const int64_t shifted = value + output->zero_point;

    if (shifted < output->lowest) {
        return (int8_t)output->lowest;
    }
    return (int8_t)(shifted > output->highest ? output->highest : shifted);
}

enum stw_npu_error stw_npu_add(struct stw_npu_run *run, const uint32_t *words) {
    struct sum sum;
    enum stw_npu_error error = read_sum(words, &sum);
    const int8_t *a =
        error == STW_NPU_OK ? (int8_t *)stw_npu_engine_stream(run, words[1], words[4], &error) : NULL;
    const int8_t *b =
        error == STW_NPU_OK ? (int8_t *)stw_npu_engine_stream(run, words[2], words[4], &error) : NULL;
    int8_t *output =
        error == STW_NPU_OK ? (int8_t *)stw_npu_engine_stream(run, words[3], words[4], &error) : NULL;

    if (error != STW_NPU_OK) {
        return error;
    }
    for (uint32_t i = 0; i < words[4]; i++) {
        output[i] = clamped(&sum.result, sum.result.rounding == STW_ROUNDING_DOUBLE
                                             ? add_twice_rounded(&sum, a[i], b[i])
                                             : add_once_rounded(&sum, a[i], b[i]));
    }
    run->engine_cycles = STW_NPU_COMMAND_CYCLES + stw_npu_ceil(words[4], run->machine->port_bytes);
    return STW_NPU_OK;
}

enum stw_npu_error stw_npu_requantise(struct stw_npu_run *run, const uint32_t *words) {
    enum stw_npu_error error = words[4] > 0u ? STW_NPU_OK : STW_NPU_BAD_FIELD;
    const uint8_t *in = error == STW_NPU_OK ? stw_npu_engine_stream(run, words[1], words[4], &error) : NULL;
    const uint8_t *table =
        error == STW_NPU_OK ? stw_npu_engine_stream(run, words[2], STW_NPU_TABLE_BYTES, &error) : NULL;
    uint8_t *out = error == STW_NPU_OK ? stw_npu_engine_stream(run, words[3], words[4], &error) : NULL;

    if (error != STW_NPU_OK) {
        return error;
    }
    for (uint32_t i = 0; i < words[4]; i++) {
        out[i] = table[in[i]];
    }
    run->engine_cycles = STW_NPU_COMMAND_CYCLES + stw_npu_ceil(words[4], run->machine->port_bytes) +
                         stw_npu_ceil(STW_NPU_TABLE_BYTES, run->machine->port_bytes);
    return STW_NPU_OK;
}
