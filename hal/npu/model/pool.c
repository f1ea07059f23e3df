/* SPDX-License-Identifier: Apache-2.0 */
/* The model's pooling. */
#include <stddef.h>

#include "hal/npu/model/window.h"
#include "hal/npu/stream.h"

/* What one channel has under a window. */
struct under {
    int32_t sum;
    int32_t largest;
    int32_t count;
};

static struct under look(const struct stw_npu_sliding *s, const int8_t *input, int32_t oy, int32_t ox,
                         int32_t channel) {
    struct under under = {0, INT8_MIN, 0};

    for (int32_t ky = 0; ky < s->kernel_height; ky++) {
        for (int32_t kx = 0; kx < s->kernel_width; kx++) {
            const struct stw_npu_tap tap = stw_npu_tap_of(s, oy, ox, ky, kx);

            if (stw_npu_is_inside(&s->input, tap)) {
                const int32_t element = input[stw_npu_pixel(&s->input, tap.y, tap.x) + channel];

                under.sum += element - s->pad_value;
                under.largest = element > under.largest ? element : under.largest;
                under.count++;
            }
        }
    }
    return under;
}

static int8_t average(const struct stw_npu_sliding *s, const struct stw_npu_streams *streams,
                      struct under under) {
    const int32_t at = s->by_count && under.count > 0 ? under.count - 1 : 0;

    return stw_npu_element(&s->result, under.sum, streams->parameters + (uint32_t)at * STW_NPU_COUNT_BYTES);
}

static void pool(const struct stw_npu_sliding *s, const struct stw_npu_streams *streams) {
    for (int32_t oy = 0; oy < s->output.height; oy++) {
        for (int32_t ox = 0; ox < s->output.width; ox++) {
            int8_t *output = streams->output + stw_npu_pixel(&s->output, oy, ox);

            for (int32_t c = 0; c < s->output.channels; c++) {
                const struct under under = look(s, streams->input, oy, ox, c);

                output[c] = streams->parameters == NULL ? (int8_t)under.largest : average(s, streams, under);
            }
        }
    }
}

static enum stw_npu_error run_pool(struct stw_npu_run *run, const uint32_t *words, bool averages) {
    struct stw_npu_sliding s;
    struct stw_npu_streams streams;
    enum stw_npu_error error = stw_npu_read_sliding(words, &s);
    const uint64_t taps = error == STW_NPU_OK ? (uint64_t)s.kernel_height * (uint64_t)s.kernel_width : 0u;
    const uint64_t records = averages ? (error == STW_NPU_OK && s.by_count ? taps : 1u) : 0u;

    if (error == STW_NPU_OK && s.input.channels != s.output.channels) {
        error = STW_NPU_BAD_FIELD;
    }
    if (error == STW_NPU_OK) {
        error = stw_npu_open(run, &s, records * STW_NPU_COUNT_BYTES, &streams);
    }
    if (error == STW_NPU_OK) {
        error = stw_npu_check_scales(streams.parameters, (int64_t)records, STW_NPU_COUNT_BYTES);
    }
    if (error != STW_NPU_OK) {
        return error;
    }
    pool(&s, &streams);
    run->engine_cycles = stw_npu_array_cycles(run->machine, &s.output, taps, records * STW_NPU_COUNT_BYTES);
    return STW_NPU_OK;
}

enum stw_npu_error stw_npu_max_pool(struct stw_npu_run *run, const uint32_t *words) {
    return run_pool(run, words, false);
}

enum stw_npu_error stw_npu_average_pool(struct stw_npu_run *run, const uint32_t *words) {
    return run_pool(run, words, true);
}
