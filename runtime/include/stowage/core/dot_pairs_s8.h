/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The inner loops of the int8 matrix kernels for cores with the DSP extension, which multiply two pairs of 16 bits at once.
 *
 * Of a block of four channels c the weights lie in groups of four depths k, sixteen bytes each: c0k0 c1k0 c0k2 c1k2, the same
 * of c2 and c3, then all of it for k1 and k3. So a word of weights is two channels, either of which one instruction spreads
 * into 16 bits beside two inputs that are spread alike. What is left of the depth is interleaved as in core/dot_s8.h.
 *
 * Nothing is aligned. On other cores the same steps are made of C: slower, to the same bit.
 */
#ifndef STOWAGE_CORE_DOT_PAIRS_S8_H
#define STOWAGE_CORE_DOT_PAIRS_S8_H

#include <stdint.h>

#include "stowage/core/dot_s8.h"
#include "stowage/core/kernel.h"
#include "stowage/core/word.h"

#define STW_PAIRS_DEPTH 4

STW_KERNEL uint32_t stw_pairs_load(const int8_t *bytes) {
    return ((const struct stw_loose_word *)(const void *)bytes)->word;
}

#if defined(__ARM_FEATURE_SIMD32)
/* Bytes 0 and 2 of a word as two numbers of 16 bits. Volatile, as the next: in this order they need the fewest registers. */
STW_KERNEL uint32_t stw_pairs_even(uint32_t word) {
    uint32_t pair;

    __asm__ volatile("sxtb16 %0, %1" : "=r"(pair) : "r"(word));
    return pair;
}

/* Bytes 1 and 3. */
STW_KERNEL uint32_t stw_pairs_odd(uint32_t word) {
    uint32_t pair;

    __asm__ volatile("sxtb16 %0, %1, ror #8" : "=r"(pair) : "r"(word));
    return pair;
}

/* sum + the products of two pairs. */
STW_KERNEL int32_t stw_pairs_add(int32_t sum, uint32_t a, uint32_t b) {
    __asm__ volatile("smlad %0, %1, %2, %0" : "+r"(sum) : "r"(a), "r"(b));
    return sum;
}
#else
STW_KERNEL uint32_t stw_pairs_even(uint32_t word) {
    return (uint32_t)(uint16_t)(int8_t)word | (uint32_t)(uint16_t)(int8_t)(word >> 16) << 16;
}

STW_KERNEL uint32_t stw_pairs_odd(uint32_t word) {
    return stw_pairs_even(word >> 8);
}

STW_KERNEL int32_t stw_pairs_add(int32_t sum, uint32_t a, uint32_t b) {
    return sum + (int16_t)a * (int16_t)b + (int16_t)(a >> 16) * (int16_t)(b >> 16);
}
#endif

/* Adds to the sums of two channels, for one input pair, or two. */
STW_KERNEL void stw_pairs_add_1x2(int32_t *a0, int32_t *a1, uint32_t a, uint32_t weights) {
    *a0 = stw_pairs_add(*a0, a, stw_pairs_even(weights));
    *a1 = stw_pairs_add(*a1, a, stw_pairs_odd(weights));
}

STW_KERNEL void stw_pairs_add_2x2(int32_t *a0, int32_t *a1, int32_t *b0, int32_t *b1, uint32_t a, uint32_t b,
                                  uint32_t weights) {
    uint32_t pair = stw_pairs_even(weights);

    *a0 = stw_pairs_add(*a0, a, pair);
    *b0 = stw_pairs_add(*b0, b, pair);
    pair = stw_pairs_odd(weights);
    *a1 = stw_pairs_add(*a1, a, pair);
    *b1 = stw_pairs_add(*b1, b, pair);
}

/* bias + sum over k < length of input[k] * weights[k], both as they come; length may be 0. */
STW_SHARED int32_t stw_dot_pairs_1x1_s8(int32_t bias, const int8_t *input, const int8_t *weights,
                                        int32_t length) {
    const int8_t *const fours = input + length / STW_PAIRS_DEPTH * STW_PAIRS_DEPTH;

    while (input != fours) {
        const uint32_t a = stw_pairs_load(input);
        const uint32_t b = stw_pairs_load(weights);

        bias = stw_pairs_add(bias, stw_pairs_even(a), stw_pairs_even(b));
        bias = stw_pairs_add(bias, stw_pairs_odd(a), stw_pairs_odd(b));
        input += STW_PAIRS_DEPTH;
        weights += STW_PAIRS_DEPTH;
    }
    return stw_dot_1x1_s8(bias, input, weights, length % STW_PAIRS_DEPTH);
}

/* sums[c] = bias[c] + sum over k < length of input[k] * the weights of channel c, for four channels. */
STW_SHARED void stw_dot_pairs_1x4_s8(int32_t *sums, const int32_t *bias, const int8_t *input,
                                     const int8_t *weights, int32_t length) {
    const int8_t *const fours = input + length / STW_PAIRS_DEPTH * STW_PAIRS_DEPTH;
    int32_t a0 = bias[0], a1 = bias[1], a2 = bias[2], a3 = bias[3];

    while (input != fours) {
        const uint32_t word = stw_pairs_load(input);
        uint32_t a = stw_pairs_even(word);

        stw_pairs_add_1x2(&a0, &a1, a, stw_pairs_load(weights));
        stw_pairs_add_1x2(&a2, &a3, a, stw_pairs_load(weights + 4));
        a = stw_pairs_odd(word);
        stw_pairs_add_1x2(&a0, &a1, a, stw_pairs_load(weights + 8));
        stw_pairs_add_1x2(&a2, &a3, a, stw_pairs_load(weights + 12));
        input += STW_PAIRS_DEPTH;
        weights += STW_PAIRS_DEPTH * STW_BLOCK_CHANNELS;
    }
    for (int32_t k = length % STW_PAIRS_DEPTH; k > 0; k--) {
        const int32_t a = *input++;

        a0 += a * weights[0], a1 += a * weights[1], a2 += a * weights[2], a3 += a * weights[3];
        weights += STW_BLOCK_CHANNELS;
    }
    sums[0] = a0, sums[1] = a1, sums[2] = a2, sums[3] = a3;
}

/* The same for two input vectors, the second `stride` elements after the first; its sums are sums[4] to sums[7]. */
STW_SHARED void stw_dot_pairs_2x4_s8(int32_t *sums, const int32_t *bias, const int8_t *input, int32_t stride,
                                     const int8_t *weights, int32_t length) {
    const int8_t *const fours = input + length / STW_PAIRS_DEPTH * STW_PAIRS_DEPTH;
    int32_t a0 = bias[0], a1 = bias[1], a2 = bias[2], a3 = bias[3];
    int32_t b0 = a0, b1 = a1, b2 = a2, b3 = a3;

    while (input != fours) {
        uint32_t b = stw_pairs_even(stw_pairs_load(input + stride));
        uint32_t a = stw_pairs_even(stw_pairs_load(input));

        stw_pairs_add_2x2(&a0, &a1, &b0, &b1, a, b, stw_pairs_load(weights));
        stw_pairs_add_2x2(&a2, &a3, &b2, &b3, a, b, stw_pairs_load(weights + 4));
        b = stw_pairs_odd(stw_pairs_load(input + stride));
        a = stw_pairs_odd(stw_pairs_load(input));
        stw_pairs_add_2x2(&a0, &a1, &b0, &b1, a, b, stw_pairs_load(weights + 8));
        stw_pairs_add_2x2(&a2, &a3, &b2, &b3, a, b, stw_pairs_load(weights + 12));
        input += STW_PAIRS_DEPTH;
        weights += STW_PAIRS_DEPTH * STW_BLOCK_CHANNELS;
    }
    for (int32_t k = length % STW_PAIRS_DEPTH; k > 0; k--) {
        const int32_t b = input[stride];
        const int32_t a = *input++;

        a0 += a * weights[0], a1 += a * weights[1], a2 += a * weights[2], a3 += a * weights[3];
        b0 += b * weights[0], b1 += b * weights[1], b2 += b * weights[2], b3 += b * weights[3];
        weights += STW_BLOCK_CHANNELS;
    }
    sums[0] = a0, sums[1] = a1, sums[2] = a2, sums[3] = a3;
    sums[4] = b0, sums[5] = b1, sums[6] = b2, sums[7] = b3;
}

#endif
