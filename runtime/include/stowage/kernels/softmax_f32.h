/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Softmax along an axis: input [outer, axis, inner] -> output of the same shape, e^(x - largest) / sum of
 * e^(x - largest). All extents are at least 1. A NaN counts as an infinity of its sign.
 *
 * In place: walks forward, one softmax after the other, and has read its elements before it writes any. Safe
 * distance 0 bytes where inner is 1, else (axis - 1) * inner * 4 bytes.
 */
#ifndef STOWAGE_KERNELS_SOFTMAX_F32_H
#define STOWAGE_KERNELS_SOFTMAX_F32_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/math.h"

struct stw_softmax_f32_params {
    int32_t outer;
    int32_t axis;
    int32_t inner;
};

/* The largest of `count` floats that lie `stride` apart, found in integers so that nothing branches. */
STW_KERNEL float stw_largest_f32(const float *first, int32_t count, int32_t stride) {
    int32_t largest = stw_ordered_bits(stw_bits_f32(first[0]));

    for (int32_t i = 1; i < count; ++i) {
        const int32_t order = stw_ordered_bits(stw_bits_f32(first[i * stride]));

        largest = order > largest ? order : largest;
    }
    return stw_from_bits_f32(stw_ordered_bits(largest));
}

STW_KERNEL void stw_softmax_row_f32(const struct stw_softmax_f32_params *p, const float *from, float *to) {
    const float largest = stw_largest_f32(from, p->axis, p->inner);
    float sum = 0.0f;

    for (int32_t i = 0; i < p->axis; ++i) {
        const float power = stw_exp_f32(from[i * p->inner] - largest);

        to[i * p->inner] = power;
        sum += power;
    }
    for (int32_t i = 0; i < p->axis; ++i) {
        to[i * p->inner] = to[i * p->inner] / sum;
    }
}

STW_KERNEL void stw_softmax_f32(const struct stw_softmax_f32_params *p, const float *input, float *output) {
    for (int32_t block = 0; block < p->outer; ++block) {
        for (int32_t i = 0; i < p->inner; ++i) {
            stw_softmax_row_f32(p, input + i, output + i);
        }
        input += p->axis * p->inner;
        output += p->axis * p->inner;
    }
}

#endif /* STOWAGE_KERNELS_SOFTMAX_F32_H */
