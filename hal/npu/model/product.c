/* SPDX-License-Identifier: Apache-2.0 */
/* The model's products: convolution, depthwise convolution and dense layers. */
#include <stddef.h>

#include "hal/npu/model/window.h"
#include "hal/npu/stream.h"
#include "stowage/core/requantise.h"

/* The elements of one tap, or NULL for a tap outside of the image. */
static const int8_t *tap_elements(const struct stw_npu_sliding *s, const int8_t *input,
                                  struct stw_npu_tap tap) {
    return stw_npu_is_inside(&s->input, tap) ? input + stw_npu_pixel(&s->input, tap.y, tap.x) : NULL;
}

/* Accumulators wrap, as 32-bit registers do. */
static uint32_t dot(uint32_t sum, const int8_t *elements, int32_t pad, const int8_t *weights, int32_t depth) {
    for (int32_t i = 0; i < depth; i++) {
        sum += (uint32_t)((elements != NULL ? elements[i] : pad) * weights[i]);
    }
    return sum;
}

/* One output pixel of a convolution. */
static void convolve(const struct stw_npu_sliding *s, const struct stw_npu_streams *streams, int32_t oy,
                     int32_t ox) {
    const int32_t depth = s->input.channels;
    const uint8_t *record = streams->parameters;
    const int8_t *weights = (const int8_t *)record + (int64_t)s->output.channels * STW_NPU_CHANNEL_BYTES;
    int8_t *output = streams->output + stw_npu_pixel(&s->output, oy, ox);

    for (int32_t o = 0; o < s->output.channels; o++, record += STW_NPU_CHANNEL_BYTES) {
        uint32_t sum = (uint32_t)stw_npu_word(record);

        for (int32_t ky = 0; ky < s->kernel_height; ky++) {
            for (int32_t kx = 0; kx < s->kernel_width; kx++, weights += depth) {
                const struct stw_npu_tap tap = stw_npu_tap_of(s, oy, ox, ky, kx);
                sum = dot(sum, tap_elements(s, streams->input, tap), s->pad_value, weights, depth);
            }
        }
        output[o] = stw_npu_element(&s->result, (int32_t)sum, record + 4);
    }
}

/* One output pixel of a depthwise convolution; weights are [kernel height, kernel width, output channel]. */
static void convolve_depthwise(const struct stw_npu_sliding *s, const struct stw_npu_streams *streams,
                               int32_t oy, int32_t ox) {
    const int32_t channels = s->output.channels;
    const int32_t multiple = channels / s->input.channels;
    const int8_t *weights = (const int8_t *)streams->parameters + (int64_t)channels * STW_NPU_CHANNEL_BYTES;
    int8_t *output = streams->output + stw_npu_pixel(&s->output, oy, ox);

    for (int32_t o = 0; o < channels; o++) {
        const uint8_t *record = streams->parameters + (int64_t)o * STW_NPU_CHANNEL_BYTES;
        const int8_t *weight = weights + o;
        uint32_t sum = (uint32_t)stw_npu_word(record);

        for (int32_t ky = 0; ky < s->kernel_height; ky++) {
            for (int32_t kx = 0; kx < s->kernel_width; kx++, weight += channels) {
                const int8_t *elements = tap_elements(s, streams->input, stw_npu_tap_of(s, oy, ox, ky, kx));
                sum += (uint32_t)((elements != NULL ? elements[o / multiple] : s->pad_value) * *weight);
            }
        }
        output[o] = stw_npu_element(&s->result, (int32_t)sum, record + 4);
    }
}

/* All pixels, once the streams are open. */
static enum stw_npu_error
over_pixels(struct stw_npu_run *run, const struct stw_npu_sliding *s, uint64_t weights, uint64_t steps,
            void (*pixel)(const struct stw_npu_sliding *, const struct stw_npu_streams *, int32_t, int32_t)) {
    const uint64_t records = (uint64_t)s->output.channels * STW_NPU_CHANNEL_BYTES;
    struct stw_npu_streams streams;
    enum stw_npu_error error = stw_npu_open(run, s, records + weights, &streams);

    if (error == STW_NPU_OK) {
        error = stw_npu_check_scales(streams.parameters + 4, s->output.channels, STW_NPU_CHANNEL_BYTES);
    }
    if (error != STW_NPU_OK) {
        return error;
    }
    for (int32_t oy = 0; oy < s->output.height; oy++) {
        for (int32_t ox = 0; ox < s->output.width; ox++) {
            pixel(s, &streams, oy, ox);
        }
    }
    run->engine_cycles = stw_npu_array_cycles(run->machine, &s->output, steps, records);
    return STW_NPU_OK;
}

static uint64_t taps(const struct stw_npu_sliding *s) {
    return (uint64_t)s->kernel_height * (uint64_t)s->kernel_width;
}

static bool is_product(const struct stw_npu_sliding *s) {
    return s->result.rounding != STW_ROUNDING_AWAY && !s->by_count;
}

static enum stw_npu_error convolution(struct stw_npu_run *run, const struct stw_npu_sliding *s) {
    const uint64_t depth = (uint64_t)s->input.channels;

    if (!is_product(s)) {
        return STW_NPU_BAD_FIELD;
    }
    return over_pixels(run, s, taps(s) * depth * (uint64_t)s->output.channels,
                       taps(s) * stw_npu_ceil(depth, run->machine->array_depth), convolve);
}

enum stw_npu_error stw_npu_conv2d(struct stw_npu_run *run, const uint32_t *words) {
    struct stw_npu_sliding s;
    const enum stw_npu_error error = stw_npu_read_sliding(words, &s);

    return error == STW_NPU_OK ? convolution(run, &s) : error;
}

enum stw_npu_error stw_npu_depthwise(struct stw_npu_run *run, const uint32_t *words) {
    struct stw_npu_sliding s;
    const enum stw_npu_error error = stw_npu_read_sliding(words, &s);

    if (error != STW_NPU_OK) {
        return error;
    }
    if (!is_product(&s) || s.output.channels % s.input.channels != 0) {
        return STW_NPU_BAD_FIELD;
    }
    return over_pixels(run, &s, taps(&s) * (uint64_t)s.output.channels, taps(&s), convolve_depthwise);
}

/* A dense layer is a convolution of one pixel a row. */
enum stw_npu_error stw_npu_fully_connected(struct stw_npu_run *run, const uint32_t *words) {
    const uint32_t rows = words[4] & 0xFFFFu;
    const uint32_t depth = words[4] >> 16;
    const uint32_t as_window[STW_NPU_WINDOW_WORDS] = {
        words[0],        words[1],    words[2],    words[3], rows | 1u << 16, depth | words[5] << 16,
        rows | 1u << 16, 0x01010101u, 0x01010000u, depth,    words[6],        words[7],
        words[8]};

    return words[5] <= 0xFFFFu ? stw_npu_conv2d(run, as_window) : STW_NPU_BAD_FIELD;
}
