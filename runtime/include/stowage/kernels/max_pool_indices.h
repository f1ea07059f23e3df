/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where the largest element under a window is: input [batch, depth, height, width, channel] -> int64 output
 * [batch, output depth, output height, output width, channel].
 *
 * An index counts the elements of the input as [batch, channel, depth, height, width] before the largest one; `steps` says
 * how far apart neighbours along depth, height and width are in that count. Of equal elements the first in the order of depth,
 * height and width counts. Padding never wins, and every window covers some element. Nothing may overlap.
 *
 *   stw_max_pool_indices_f32, stw_max_pool_indices_s8
 */
#ifndef STOWAGE_KERNELS_MAX_POOL_INDICES_H
#define STOWAGE_KERNELS_MAX_POOL_INDICES_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/volume.h"

/* The taps of a window that lie in the volume, along depth, height and width. */
struct stw_tap_box {
    struct stw_tap_range ranges[3];
};

/* An element's place in the order of its type, as stw_rank_f32. */
STW_KERNEL int32_t stw_rank_s8(int8_t element) {
    return element;
}

#define STW_MAX_POOL_INDICES_KERNEL(suffix, type)                                                            \
    struct stw_max_pool_indices_##suffix##_params {                                                          \
        struct stw_volume volume;                                                                            \
        int32_t steps[3];                                                                                    \
    };                                                                                                       \
                                                                                                             \
    /* The count before the largest element of one channel of the volume that begins at `input`. */          \
    STW_KERNEL int32_t stw_largest_place_##suffix(const struct stw_max_pool_indices_##suffix##_params *p,    \
                                                  const type *input, const int32_t *out) {                   \
        const struct stw_volume *v = &p->volume;                                                             \
        const struct stw_tap_box box = {                                                                     \
            {stw_volume_taps(v, 0, out[0]), stw_volume_taps(v, 1, out[1]), stw_volume_taps(v, 2, out[2])}};  \
        int32_t most = INT32_MIN;                                                                            \
        int32_t place = 0;                                                                                   \
                                                                                                             \
        for (int32_t k = box.ranges[0].first; k < box.ranges[0].end; ++k) {                                  \
            const int32_t z = stw_volume_start(v, 0, out[0]) + k * v->dilation[0];                           \
                                                                                                             \
            for (int32_t j = box.ranges[1].first; j < box.ranges[1].end; ++j) {                              \
                const int32_t y = stw_volume_start(v, 1, out[1]) + j * v->dilation[1];                       \
                                                                                                             \
                for (int32_t i = box.ranges[2].first; i < box.ranges[2].end; ++i) {                          \
                    const int32_t x = stw_volume_start(v, 2, out[2]) + i * v->dilation[2];                   \
                    const int32_t rank = stw_rank_##suffix(input[stw_volume_offset(v, z, y, x)]);            \
                    const int32_t at = z * p->steps[0] + y * p->steps[1] + x * p->steps[2];                  \
                    const int32_t larger = stw_mask_below(most, rank);                                       \
                                                                                                             \
                    most ^= (most ^ rank) & larger;                                                          \
                    place ^= (place ^ at) & larger;                                                          \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
        return place;                                                                                        \
    }                                                                                                        \
                                                                                                             \
    STW_KERNEL void stw_max_pool_indices_##suffix(const struct stw_max_pool_indices_##suffix##_params *p,    \
                                                  const type *input, int64_t *output) {                      \
        const struct stw_volume *v = &p->volume;                                                             \
        const int32_t channel = v->input[0] * v->input[1] * v->input[2];                                     \
        int32_t out[3];                                                                                      \
                                                                                                             \
        for (int32_t n = 0; n < v->batches; ++n) {                                                           \
            for (out[0] = 0; out[0] < v->output[0]; ++out[0]) {                                              \
                for (out[1] = 0; out[1] < v->output[1]; ++out[1]) {                                          \
                    for (out[2] = 0; out[2] < v->output[2]; ++out[2]) {                                      \
                        for (int32_t c = 0; c < v->input_channels; ++c) {                                    \
                            *output++ = (n * v->input_channels + c) * channel +                              \
                                        stw_largest_place_##suffix(p, input + c, out);                       \
                        }                                                                                    \
                    }                                                                                        \
                }                                                                                            \
            }                                                                                                \
            input += stw_volume_elements(v);                                                                 \
        }                                                                                                    \
    }

STW_MAX_POOL_INDICES_KERNEL(f32, float)
STW_MAX_POOL_INDICES_KERNEL(s8, int8_t)

#endif /* STOWAGE_KERNELS_MAX_POOL_INDICES_H */
