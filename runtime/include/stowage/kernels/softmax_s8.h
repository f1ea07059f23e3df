/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Softmax along an axis of int8 in integers: input [outer, axis, inner] -> output of the same shape.
 *
 * stowage/ir/softmax_fixed_point.py is the definition. For each softmax, with exponentials[d] = e^(-d *
 * input_scale) and 30 fraction bits for d = 0 … 255:
 *
 *     S = (sum of exponentials[largest - x]) >> sum_shift    in 64 bits; 2^(30 - sum_shift) <= S <= 2^30
 *     R = floor(2^(60 - sum_shift) / S)
 *     probability = (exponentials[largest - x] * R) >> 30
 *     output = clamp(output_zero_point + requantise(probability))
 *
 * 1 <= axis <= 65536, sum_shift = ceil(log2(axis)), outer and inner are at least 1. exponentials has 256
 * entries of at most 2^30.
 *
 * In place: walks forward, one softmax after the other, and has read its elements before it writes any. Safe
 * distance 0 bytes where inner is 1, else (axis - 1) * inner bytes.
 */
#ifndef STOWAGE_KERNELS_SOFTMAX_S8_H
#define STOWAGE_KERNELS_SOFTMAX_S8_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/multiply.h"
#include "stowage/core/requantise.h"

struct stw_softmax_s8_params {
    int32_t outer;
    int32_t axis;
    int32_t inner;
    int32_t sum_shift;
    int32_t multiplier; /* of 2^-30 / output_scale, as requantise.h says */
    int32_t shift;
    int32_t output_zero_point;
    int32_t lowest; /* of the output, -128 <= lowest <= highest <= 127 */
    int32_t highest;
};

STW_KERNEL int32_t stw_largest_s8(const int8_t *first, int32_t count, int32_t stride) {
    int32_t largest = first[0];

    for (int32_t i = 1; i < count; ++i) {
        largest = stw_maximum(largest, first[i * stride]);
    }
    return largest;
}

/*
 * floor(2^(60 - sum_shift) / divisor) for 2^(30 - sum_shift) <= divisor <= 2^30, by 31 steps of restoring
 * division. The quotient has no more bits, and what precedes them leaves a remainder of 2^(30 - sum_shift).
 */
STW_KERNEL int32_t stw_softmax_reciprocal(uint32_t divisor, int32_t sum_shift) {
    uint32_t remainder = (uint32_t)1 << (30 - sum_shift);
    uint32_t quotient = 0;

    for (int32_t bit = 0; bit < 31; ++bit) {
        const uint32_t difference = remainder - divisor;
        const uint32_t negative = (uint32_t)((int32_t)difference >> 31);

        remainder = (difference + (divisor & negative)) << 1;
        quotient = 2u * quotient + 1u + negative;
    }
    return (int32_t)quotient;
}

STW_KERNEL void stw_softmax_row_s8(const struct stw_softmax_s8_params *p, const int8_t *from,
                                   const uint32_t *exponentials, int8_t *to) {
    const int32_t largest = stw_largest_s8(from, p->axis, p->inner);
    uint64_t sum = 0;
    int32_t reciprocal;

    for (int32_t i = 0; i < p->axis; ++i) {
        sum += exponentials[largest - from[i * p->inner]];
    }
    reciprocal = stw_softmax_reciprocal((uint32_t)(sum >> p->sum_shift), p->sum_shift);
    for (int32_t i = 0; i < p->axis; ++i) {
        const int32_t power = (int32_t)exponentials[largest - from[i * p->inner]];
        const int32_t probability = (int32_t)(stw_multiply(power, reciprocal) >> 30);
        const int32_t scaled = stw_requantise(probability, p->multiplier, p->shift, STW_ROUNDING_SINGLE);

        to[i * p->inner] = stw_clamp_s8(scaled + p->output_zero_point, p->lowest, p->highest);
    }
}

STW_KERNEL void stw_softmax_s8(const struct stw_softmax_s8_params *p, const int8_t *input,
                               const uint32_t *exponentials, int8_t *output) {
    for (int32_t block = 0; block < p->outer; ++block) {
        for (int32_t i = 0; i < p->inner; ++i) {
            stw_softmax_row_s8(p, input + i, exponentials, output + i);
        }
        input += p->axis * p->inner;
        output += p->axis * p->inner;
    }
}

#endif /* STOWAGE_KERNELS_SOFTMAX_S8_H */
