/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inner loops of the float32 matrix and convolution kernels: blocks of dot products that share their operands.
 *
 * Of a block of four channels the weights are interleaved: element k of all four, then element k + 1. Each sum starts from the
 * bias and adds products in ascending k, every product and sum rounded to float32.
 */
#ifndef STOWAGE_CORE_DOT_F32_H
#define STOWAGE_CORE_DOT_F32_H

#include <stdint.h>

#include "stowage/core/kernel.h"

/* bias + sum over k < length of input[k] * weights[k]. */
STW_SHARED float stw_dot_1x1_f32(float bias, const float *input, const float *weights, int32_t length) {
    const float *const end = input + length;

    while (input != end) {
        bias += *input++ * *weights++;
    }
    return bias;
}

/* sums[c] = bias[c] + sum over k < length of input[k] * weights[k][c], for four channels c; length is positive. */
STW_SHARED void stw_dot_1x4_f32(float *sums, const float *bias, const float *input, const float *weights,
                                int32_t length) {
    const float *const end = input + length;
    float a0 = bias[0], a1 = bias[1], a2 = bias[2], a3 = bias[3];

    do {
        const float a = *input++;

        a0 += a * weights[0];
        a1 += a * weights[1];
        a2 += a * weights[2];
        a3 += a * weights[3];
        weights += 4;
    } while (input != end);
    sums[0] = a0, sums[1] = a1, sums[2] = a2, sums[3] = a3;
}

/* The same for two input vectors, the second `stride` elements after the first; its sums are sums[4] to sums[7]. */
STW_SHARED void stw_dot_2x4_f32(float *sums, const float *bias, const float *input, int32_t stride,
                                const float *weights, int32_t length) {
    const float *const end = input + length;
    float a0 = bias[0], a1 = bias[1], a2 = bias[2], a3 = bias[3];
    float b0 = a0, b1 = a1, b2 = a2, b3 = a3;

    do {
        const float b = input[stride];
        const float a = *input++;
        float weight;

        weight = weights[0], a0 += a * weight, b0 += b * weight;
        weight = weights[1], a1 += a * weight, b1 += b * weight;
        weight = weights[2], a2 += a * weight, b2 += b * weight;
        weight = weights[3], a3 += a * weight, b3 += b * weight;
        weights += 4;
    } while (input != end);
    sums[0] = a0, sums[1] = a1, sums[2] = a2, sums[3] = a3;
    sums[4] = b0, sums[5] = b1, sums[6] = b2, sums[7] = b3;
}

#endif
