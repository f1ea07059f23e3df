/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inner loops of the int8 matrix and convolution kernels: blocks of dot products that share their operands.
 *
 * Of a block of four channels the weights are interleaved: element k of all four, then element k + 1; so that they are read
 * in one ascending pass and every input element that is loaded takes part in four products. Sums stay in registers; they
 * start from the bias and must not reach 2^31 on the way. This is the portable variant; nothing here is aligned.
 */
#ifndef STOWAGE_CORE_DOT_S8_H
#define STOWAGE_CORE_DOT_S8_H

#include <stdint.h>

#include "stowage/core/kernel.h"

#define STW_BLOCK_CHANNELS 4

/* bias + sum over k < length of input[k] * weights[k]; length may be 0. */
STW_SHARED int32_t stw_dot_1x1_s8(int32_t bias, const int8_t *input, const int8_t *weights, int32_t length) {
    const int8_t *const end = input + length;

    while (input != end) {
        bias += *input++ * *weights++;
    }
    return bias;
}

/* sums[c] = bias[c] + sum over k < length of input[k] * weights[k][c], for four channels c. */
STW_SHARED void stw_dot_1x4_s8(int32_t *sums, const int32_t *bias, const int8_t *input, const int8_t *weights,
                               int32_t length) {
    const int8_t *const end = input + length;
    const int8_t *const fours = input + length / 4 * 4;
    int32_t a0 = bias[0], a1 = bias[1], a2 = bias[2], a3 = bias[3];

    while (input != fours) {
        STW_UNROLL(4)
        for (int32_t k = 0; k < 4; k++) {
            a0 += input[k] * weights[STW_BLOCK_CHANNELS * k];
            a1 += input[k] * weights[STW_BLOCK_CHANNELS * k + 1];
            a2 += input[k] * weights[STW_BLOCK_CHANNELS * k + 2];
            a3 += input[k] * weights[STW_BLOCK_CHANNELS * k + 3];
        }
        input += 4;
        weights += 4 * STW_BLOCK_CHANNELS;
    }
    while (input != end) {
        const int32_t a = *input++;

        a0 += a * weights[0];
        a1 += a * weights[1];
        a2 += a * weights[2];
        a3 += a * weights[3];
        weights += STW_BLOCK_CHANNELS;
    }
    sums[0] = a0, sums[1] = a1, sums[2] = a2, sums[3] = a3;
}

/* The same for two input vectors, the second `stride` elements after the first; its sums are sums[4] to sums[7]. */
STW_SHARED void stw_dot_2x4_s8(int32_t *sums, const int32_t *bias, const int8_t *input, int32_t stride,
                               const int8_t *weights, int32_t length) {
    const int8_t *const end = input + length;
    int32_t a0 = bias[0], a1 = bias[1], a2 = bias[2], a3 = bias[3];
    int32_t b0 = a0, b1 = a1, b2 = a2, b3 = a3;

    do {
        const int32_t b = input[stride];
        const int32_t a = *input++;
        int32_t weight;

        weight = weights[0], a0 += a * weight, b0 += b * weight;
        weight = weights[1], a1 += a * weight, b1 += b * weight;
        weight = weights[2], a2 += a * weight, b2 += b * weight;
        weight = weights[3], a3 += a * weight, b3 += b * weight;
        weights += STW_BLOCK_CHANNELS;
    } while (input != end);
    sums[0] = a0, sums[1] = a1, sums[2] = a2, sums[3] = a3;
    sums[4] = b0, sums[5] = b1, sums[6] = b2, sums[7] = b3;
}

#endif
