/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Softmax along an axis of int8 as TensorFlow Lite's reference kernel computes it: input [outer, axis, inner] -> output of
 * the same shape, in steps of 1/256 from -128 on. stowage/ir/tflite/softmax.py is the definition.
 *
 * exponentials[d] = e^(-d * input_scale) for d = 0 … 255 with 31 fraction bits; exponentials[0] is 2^31 - 1. For each
 * softmax:
 *
 *     S = sum of round(exponentials[largest - x] * 2^-12)    at least 2^19, below 2^31
 *     R = 2^(62 - z) / S by Newton's method, where z are the leading zeros of S
 *     output = clamp(-128 + round(exponentials[largest - x] * R * 2^-(66 - z)))
 *
 * 1 <= axis <= 4096, outer and inner are at least 1.
 *
 * In place: walks forward, one softmax after the other, and has read its elements before it writes any. Safe
 * distance 0 bytes where inner is 1, else (axis - 1) * inner bytes.
 */
#ifndef STOWAGE_KERNELS_SOFTMAX_TFLITE_S8_H
#define STOWAGE_KERNELS_SOFTMAX_TFLITE_S8_H

#include <stdint.h>

#include "stowage/core/fixed_point.h"
#include "stowage/core/kernel.h"

struct stw_softmax_tflite_s8_params {
    int32_t outer;
    int32_t axis;
    int32_t inner;
};

/* The largest exponent that a division by a power still looks at: from there on it makes 0 of every exponential. */
#define STW_SOFTMAX_LAST_SHIFT 31

STW_KERNEL int32_t stw_softmax_tflite_largest(const struct stw_softmax_tflite_s8_params *p,
                                              const int8_t *from) {
    int32_t largest = from[0];

    for (int32_t i = 1; i < p->axis; ++i) {
        largest = stw_maximum(largest, from[i * p->inner]);
    }
    return largest;
}

STW_KERNEL void stw_softmax_tflite_row(const struct stw_softmax_tflite_s8_params *p, const int8_t *from,
                                       const int32_t *exponentials, int8_t *to) {
    const int32_t largest = stw_softmax_tflite_largest(p, from);
    uint32_t sum = 0;

    for (int32_t i = 0; i < p->axis; ++i) {
        sum += ((uint32_t)exponentials[largest - from[i * p->inner]] + (1u << 11)) >> 12;
    }
    const int32_t zeros = stw_leading_zeros(sum);
    const int32_t reciprocal = stw_fixed_reciprocal((int32_t)((sum << zeros) >> 1));
    const int32_t shift = stw_minimum(34 - zeros, STW_SOFTMAX_LAST_SHIFT);

    for (int32_t i = 0; i < p->axis; ++i) {
        const int32_t power = exponentials[largest - from[i * p->inner]];
        const uint32_t product = (uint32_t)stw_fixed_product(power, reciprocal);
        const int32_t steps = (int32_t)(((product >> shift) + 1u) >> 1);

        to[i * p->inner] = stw_clamp_s8(steps - 128, -128, 127);
    }
}

STW_KERNEL void stw_softmax_tflite_s8(const struct stw_softmax_tflite_s8_params *p, const int8_t *input,
                                      const int32_t *exponentials, int8_t *output) {
    for (int32_t block = 0; block < p->outer; ++block) {
        for (int32_t i = 0; i < p->inner; ++i) {
            stw_softmax_tflite_row(p, input + i, exponentials, output + i);
        }
        input += p->axis * p->inner;
        output += p->axis * p->inner;
    }
}

#endif /* STOWAGE_KERNELS_SOFTMAX_TFLITE_S8_H */
