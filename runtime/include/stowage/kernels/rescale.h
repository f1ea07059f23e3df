/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Quantised integers of another scale, between int16 and int16 or int8, as TensorFlow Lite's QUANTIZE and its rectifiers
 * round them:
 *
 *     output = clamp(output_zero_point + requantise(input))
 *
 * The real multiplier, input scale / output scale, rounds twice (core/requantise.h, STW_ROUNDING_DOUBLE). An int16 tensor
 * has no zero point. `elements` is at least 1.
 *
 * stw_leaky_relu_s16 multiplies negative numbers by another real, which may be negative itself: its multiplier has the sign.
 *
 * In place: the kernel walks forward, and the output may start where the input starts, or below.
 */
#ifndef STOWAGE_KERNELS_RESCALE_H
#define STOWAGE_KERNELS_RESCALE_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/requantise.h"

#define STW_RESCALE_KERNEL(suffix, type)                                                                     \
    struct stw_rescale_s16_##suffix##_params {                                                               \
        int32_t elements;                                                                                    \
        int32_t multiplier; /* as requantise.h says */                                                       \
        int32_t shift;                                                                                       \
        int32_t output_zero_point;                                                                           \
        int32_t lowest; /* of the output, within its type */                                                 \
        int32_t highest;                                                                                     \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void stw_rescale_s16_##suffix(const struct stw_rescale_s16_##suffix##_params *p,              \
                                             const int16_t *input, type *output) {                           \
        for (int32_t i = 0; i < p->elements; i++) {                                                          \
            const int32_t scaled = stw_requantise_double(input[i], p->multiplier, p->shift);                 \
                                                                                                             \
            output[i] = (type)stw_clamp(scaled / 1 + p->output_zero_point, p->lowest, p->highest);           \
        }                                                                                                    \
    }

STW_RESCALE_KERNEL(s8, int8_t)
STW_RESCALE_KERNEL(s16, int16_t)

struct stw_leaky_relu_s16_params {
    int32_t elements;
    int32_t kept_multiplier; /* of numbers from 0 on; as requantise.h says */
    int32_t kept_shift;
    int32_t sloped_multiplier; /* of negative numbers, with a sign */
    int32_t sloped_shift;
};

STW_KERNEL void stw_leaky_relu_s16(const struct stw_leaky_relu_s16_params *p, const int16_t *input,
                                   int16_t *output) {
    for (int32_t i = 0; i < p->elements; i++) {
        const int32_t x = input[i];
        const int32_t kept = stw_requantise_double(x, p->kept_multiplier, p->kept_shift);
        const int32_t sloped = stw_requantise_double(x, p->sloped_multiplier, p->sloped_shift);

        output[i] = (int16_t)stw_clamp(x < 0 ? sloped : kept, INT16_MIN, INT16_MAX);
    }
}

#endif
