/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inner loops of the int8 matrix kernels for cores with MVE, which multiply and sum sixteen bytes at once.
 *
 * Of a block of four channels the weights lie in groups of sixteen depths: sixteen bytes of each channel after the other. What is
 * left of the depth, fewer than sixteen, is one more such group, as short.
 *
 * Nothing is aligned. On other cores the same is made of C: slower, to the same bit.
 */
#ifndef STOWAGE_CORE_DOT_VECTORS_S8_H
#define STOWAGE_CORE_DOT_VECTORS_S8_H

#include <stdint.h>

#include "stowage/core/dot_s8.h"
#include "stowage/core/kernel.h"

#define STW_VECTOR_DEPTH 16

#if defined(__ARM_FEATURE_MVE)
#include <arm_mve.h>

/* Adds the products of sixteen depths to the sums of four channels, whose weights lie one after the other. */
STW_KERNEL void stw_vectors_add_1x4(int32_t *sums, const int8_t *input, const int8_t *weights) {
    const int8x16_t a = vldrbq_s8(input);

    sums[0] = vmladavaq_s8(sums[0], a, vldrbq_s8(weights));
    sums[1] = vmladavaq_s8(sums[1], a, vldrbq_s8(weights + STW_VECTOR_DEPTH));
    sums[2] = vmladavaq_s8(sums[2], a, vldrbq_s8(weights + 2 * STW_VECTOR_DEPTH));
    sums[3] = vmladavaq_s8(sums[3], a, vldrbq_s8(weights + 3 * STW_VECTOR_DEPTH));
}

/* The same of `count` < 16 depths: what lies beyond is not read. */
STW_KERNEL void stw_vectors_add_rest_1x4(int32_t *sums, const int8_t *input, const int8_t *weights,
                                         int32_t count) {
    const mve_pred16_t in = vctp8q((uint32_t)count);
    const int8x16_t a = vldrbq_z_s8(input, in);

    sums[0] = vmladavaq_s8(sums[0], a, vldrbq_z_s8(weights, in));
    sums[1] = vmladavaq_s8(sums[1], a, vldrbq_z_s8(weights + count, in));
    sums[2] = vmladavaq_s8(sums[2], a, vldrbq_z_s8(weights + 2 * count, in));
    sums[3] = vmladavaq_s8(sums[3], a, vldrbq_z_s8(weights + 3 * count, in));
}
#else
STW_KERNEL void stw_vectors_add_rest_1x4(int32_t *sums, const int8_t *input, const int8_t *weights,
                                         int32_t count) {
    for (int32_t c = 0; c < STW_BLOCK_CHANNELS; c++) {
        for (int32_t k = 0; k < count; k++) {
            sums[c] += input[k] * weights[c * count + k];
        }
    }
}

STW_KERNEL void stw_vectors_add_1x4(int32_t *sums, const int8_t *input, const int8_t *weights) {
    stw_vectors_add_rest_1x4(sums, input, weights, STW_VECTOR_DEPTH);
}
#endif

/* bias + sum over k < length of input[k] * weights[k], both as they come; length may be 0. */
STW_SHARED int32_t stw_dot_vectors_1x1_s8(int32_t bias, const int8_t *input, const int8_t *weights,
                                          int32_t length) {
#if defined(__ARM_FEATURE_MVE)
    for (; length > 0; length -= STW_VECTOR_DEPTH) {
        const mve_pred16_t in = vctp8q((uint32_t)length);

        bias = vmladavaq_s8(bias, vldrbq_z_s8(input, in), vldrbq_z_s8(weights, in));
        input += STW_VECTOR_DEPTH;
        weights += STW_VECTOR_DEPTH;
    }
    return bias;
#else
    return stw_dot_1x1_s8(bias, input, weights, length);
#endif
}

/* sums[c] = bias[c] + sum over k < length of input[k] * the weights of channel c, for four channels. */
STW_SHARED void stw_dot_vectors_1x4_s8(int32_t *sums, const int32_t *bias, const int8_t *input,
                                       const int8_t *weights, int32_t length) {
    int32_t made[STW_BLOCK_CHANNELS] = {bias[0], bias[1], bias[2], bias[3]};

    for (int32_t groups = length / STW_VECTOR_DEPTH; groups > 0; groups--) {
        stw_vectors_add_1x4(made, input, weights);
        input += STW_VECTOR_DEPTH;
        weights += STW_VECTOR_DEPTH * STW_BLOCK_CHANNELS;
    }
    if (length % STW_VECTOR_DEPTH != 0) {
        stw_vectors_add_rest_1x4(made, input, weights, length % STW_VECTOR_DEPTH);
    }
    sums[0] = made[0], sums[1] = made[1], sums[2] = made[2], sums[3] = made[3];
}

/* The same for two input vectors, the second `stride` elements after the first; its sums are sums[4] to sums[7]. */
STW_KERNEL void stw_dot_vectors_2x4_s8(int32_t *sums, const int32_t *bias, const int8_t *input,
                                       int32_t stride, const int8_t *weights, int32_t length) {
    stw_dot_vectors_1x4_s8(sums, bias, input, weights, length);
    stw_dot_vectors_1x4_s8(sums + STW_BLOCK_CHANNELS, bias, input + stride, weights, length);
}

#endif
