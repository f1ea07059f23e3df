/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Softmax of int16 tensors along one axis, as TensorFlow Lite's reference kernel computes it: straight lines between the entries
 * of two tables. stowage/ir/tflite/softmax_words.py is the definition. No branches on data.
 *
 *   input         int16 [outer, axis, inner]
 *   exponentials  int16 [513], exp from -10 to 0
 *   reciprocals   int16 [513], 1 / (1 + x) from 0 to 1
 *   output        int16 [outer, axis, inner], 15 fraction bits
 *
 * The axis has at most 2^15 elements. multiplier and shift bring the input to steps of 10 / 65535 (core/requantise.h).
 * Order: rows ascend; a row is read to its end, then read and written element by element.
 * Overlap: the output may lie over the input. Where inner is 1 it may start where the input starts, or below; else it starts
 * (axis - 1) * inner elements below, or more.
 */
#ifndef STOWAGE_KERNELS_SOFTMAX_S16_H
#define STOWAGE_KERNELS_SOFTMAX_S16_H

#include <stdint.h>

#include "stowage/core/fixed_point.h"
#include "stowage/core/kernel.h"
#include "stowage/core/requantise.h"

struct stw_softmax_s16_params {
    int32_t outer;
    int32_t axis;
    int32_t inner;
    int32_t multiplier;
    int32_t shift;
};

/* A table's lines over all 16-bit numbers; those beyond count as the nearest. */
STW_KERNEL int32_t stw_look_up_s16(const int16_t *table, int32_t number) {
    const int32_t within = stw_clamp(number, INT16_MIN, INT16_MAX);
    const int32_t line = 256 + (within >> 7);
    const int32_t slope = table[line + 1] - table[line];

    return table[line] + ((slope * (within & 0x7F) + 64) >> 7);
}

/* The exponentials of a row's elements, which lie `inner` apart, into the output; returns their sum. */
STW_KERNEL int32_t stw_softmax_exponentials_s16(const struct stw_softmax_s16_params *p, const int16_t *input,
                                                const int16_t *exponentials, int16_t *output) {
    int32_t most = INT16_MIN;
    int32_t sum = 0;

    for (int32_t c = 0; c < p->axis; c++) {
        most = stw_maximum(most, input[c * p->inner]);
    }
    for (int32_t c = 0; c < p->axis; c++) {
        const int32_t distance = stw_requantise_double(input[c * p->inner] - most, p->multiplier, p->shift);
        const int32_t exponential = stw_look_up_s16(exponentials, distance + INT16_MAX);

        sum += exponential;
        output[c * p->inner] = (int16_t)exponential;
    }
    return sum;
}

STW_KERNEL void stw_softmax_s16_row(const struct stw_softmax_s16_params *p, const int16_t *input,
                                    const int16_t *exponentials, const int16_t *reciprocals,
                                    int16_t *output) {
    const int32_t sum = stw_softmax_exponentials_s16(p, input, exponentials, output);
    const int32_t zeros = stw_leading_zeros((uint32_t)sum);
    const uint32_t scaled = ((uint32_t)sum << (zeros - 1)) + (1u << 13);
    const int32_t reciprocal = stw_look_up_s16(reciprocals, (int32_t)(scaled >> 14) - 3 * 32768);

    for (int32_t c = 0; c < p->axis; c++) {
        const int32_t share = output[c * p->inner] * reciprocal + ((int32_t)1 << (30 - zeros));

        output[c * p->inner] = (int16_t)stw_minimum(share >> (31 - zeros), INT16_MAX);
    }
}

STW_KERNEL void stw_softmax_s16(const struct stw_softmax_s16_params *p, const int16_t *input,
                                const int16_t *exponentials, const int16_t *reciprocals, int16_t *output) {
    for (int32_t block = 0; block < p->outer; block++) {
        for (int32_t i = 0; i < p->inner; i++) {
            stw_softmax_s16_row(p, input + i, exponentials, reciprocals, output + i);
        }
        input += p->axis * p->inner;
        output += p->axis * p->inner;
    }
}

#endif
