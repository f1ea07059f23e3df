/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Mean over some axes of a tensor of up to eight.
 *
 * Shapes: after merging, the axes that stay have `extents`, filled up in front with ones, and the output is
 * row-major in them; those that go have reduced_extents, filled up in front with ones. `strides` and
 * reduced_strides are the input's, in elements.
 *
 *   stw_reduce_mean_f32  sum / count, summed in row-major order
 *   stw_reduce_mean_s8   clamp(output_zero_point + requantise(sum - count * input_zero_point)); the real
 *                        multiplier is input_scale / (output_scale * count), and 255 * count < 2^30
 *   stw_reduce_mean_s16  the same of 16-bit elements, which have no zero point; 2^15 * count < 2^30
 *
 * In place: walks forward and has read all that goes into an output element before it writes it. The safe
 * distance in bytes is
 *
 *     size * (sum over the axes that stay of max(0, output stride - stride) * (extent - 1))
 */
#ifndef STOWAGE_KERNELS_REDUCE_MEAN_H
#define STOWAGE_KERNELS_REDUCE_MEAN_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/requantise.h"
#include "stowage/core/walk.h"

/* Runs of axes that go; neighbours are one. */
#define STW_REDUCED_AXES 3

#define STW_REDUCED_SHAPE                                                                                    \
    int32_t extents[STW_AXES]; /* each at least 1 */                                                         \
    int32_t strides[STW_AXES];                                                                               \
    int32_t reduced_extents[STW_REDUCED_AXES]; /* each at least 1 */                                         \
    int32_t reduced_strides[STW_REDUCED_AXES];                                                               \
    int32_t count; /* product of reduced_extents */

/* Defines stw_sum_over_axes_<suffix>: the sum of type `sum_type` of the elements that go into one output. */
#define STW_SUM_OVER_AXES(suffix, type, sum_type)                                                            \
    STW_KERNEL sum_type stw_sum_over_axes_##suffix(const int32_t *extents, const int32_t *strides,           \
                                                   const type *first) {                                      \
        sum_type sum = 0;                                                                                    \
                                                                                                             \
        for (int32_t i = 0; i < extents[0]; ++i) {                                                           \
            for (int32_t j = 0; j < extents[1]; ++j) {                                                       \
                const type *row = first + (i * strides[0] + j * strides[1]);                                 \
                                                                                                             \
                STW_UNROLL(4)                                                                                \
                for (int32_t k = 0; k < extents[2]; ++k) {                                                   \
                    sum += row[k * strides[2]];                                                              \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
        return sum;                                                                                          \
    }

STW_SUM_OVER_AXES(f32, float, float)
STW_SUM_OVER_AXES(s8, int8_t, int32_t)
STW_SUM_OVER_AXES(s16, int16_t, int32_t)

/* Defines the kernel: output elements are finish(p, sum). */
#define STW_REDUCE_MEAN_KERNEL(suffix, type, finish)                                                         \
    STW_KERNEL void stw_reduce_mean_##suffix(const struct stw_reduce_mean_##suffix##_params *p,              \
                                             const type *input, type *output) {                              \
        struct stw_walk walk = {{0}};                                                                        \
                                                                                                             \
        do {                                                                                                 \
            const type *row = input + stw_walk_offset(&walk, p->strides);                                    \
                                                                                                             \
            for (int32_t i = 0; i < p->extents[STW_AXES - 1]; ++i) {                                         \
                const type *first = row + i * p->strides[STW_AXES - 1];                                      \
                                                                                                             \
                *output++ =                                                                                  \
                    finish(p, stw_sum_over_axes_##suffix(p->reduced_extents, p->reduced_strides, first));    \
            }                                                                                                \
        } while (stw_walk_next(&walk, p->extents));                                                          \
    }

struct stw_reduce_mean_f32_params {
    STW_REDUCED_SHAPE
};

STW_KERNEL float stw_mean_f32(const struct stw_reduce_mean_f32_params *p, float sum) {
    return sum / (float)p->count;
}

STW_REDUCE_MEAN_KERNEL(f32, float, stw_mean_f32)

/* Defines the kernel of quantised integers; `clamp` makes one of its type. */
#define STW_REDUCE_MEAN_QUANTISED(suffix, type, clamp)                                                       \
    struct stw_reduce_mean_##suffix##_params {                                                               \
        STW_REDUCED_SHAPE                                                                                    \
        int32_t input_zero_point;                                                                            \
        int32_t multiplier; /* as requantise.h says */                                                       \
        int32_t shift;                                                                                       \
        int32_t rounding;                                                                                    \
        int32_t output_zero_point;                                                                           \
        int32_t lowest; /* of the output, within its type */                                                 \
        int32_t highest;                                                                                     \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL type stw_mean_##suffix(const struct stw_reduce_mean_##suffix##_params *p, int32_t sum) {      \
        const int32_t centred = sum - p->count * p->input_zero_point;                                        \
        const int32_t scaled = stw_requantise(centred, p->multiplier, p->shift, p->rounding);                \
                                                                                                             \
        return clamp(scaled + p->output_zero_point, p->lowest, p->highest);                                  \
    }                                                                                                        \
                                                                                                             \
    STW_REDUCE_MEAN_KERNEL(suffix, type, stw_mean_##suffix)

STW_REDUCE_MEAN_QUANTISED(s8, int8_t, stw_clamp_s8)
STW_REDUCE_MEAN_QUANTISED(s16, int16_t, (int16_t)stw_clamp)

#endif /* STOWAGE_KERNELS_REDUCE_MEAN_H */
