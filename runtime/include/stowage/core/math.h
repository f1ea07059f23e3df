/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elementary functions of binary32 numbers, for images that have no mathematical library.
 *
 * Single precision only, no tables, no loops; the path through them does not depend on the argument, so that
 * a model's instruction count does not either. Round-to-nearest is assumed. Where the compiler does not
 * contract products and sums (-ffp-contract=off, or -std=c99 with GCC) every machine gives the same bits.
 *
 *   function         domain       largest error
 *   stw_exp_f32      all numbers  1 ulp where the result is normal, 2^-149 (one step) where it is subnormal
 *   stw_tanh_f32     all numbers  2 ulp
 *   stw_expm1_f32    x <= 0       4 ulp
 *   stw_sigmoid_f32  x >= -87     3 ulp; below, the result lies between 0 and twice the smallest normal
 *
 * Infinities give the limits; a NaN counts as an infinity of its sign. An ulp is the distance of the two
 * binary32 numbers around the exact value.
 */
#ifndef STOWAGE_CORE_MATH_H
#define STOWAGE_CORE_MATH_H

#include <stdint.h>

#include "stowage/core/kernel.h"

/* Added to a number of magnitude below 2^22, it rounds the sum to an integer, halves to even: 1.5 * 2^23. */
#define STW_ROUNDER_F32 12582912.0f

/* The integer nearest to x, halves to even, for |x| <= 2^22. */
STW_KERNEL int32_t stw_round_f32(float x) {
    return stw_bits_f32(x + STW_ROUNDER_F32) - stw_bits_f32(STW_ROUNDER_F32);
}

/* `negative` where x < 0, else `other`; a NaN goes by its sign. No ternary, which might become a branch. */
STW_KERNEL float stw_by_sign_f32(float x, float negative, float other) {
    const int32_t mask = stw_bits_f32(x) >> 31;

    return stw_from_bits_f32((stw_bits_f32(negative) & mask) | (stw_bits_f32(other) & ~mask));
}

/* `then` where `mask` is all ones, `other` where it is 0. */
STW_KERNEL float stw_choose_f32(int32_t mask, float then, float other) {
    return stw_from_bits_f32((stw_bits_f32(then) & mask) | (stw_bits_f32(other) & ~mask));
}

/* The number without its sign. */
STW_KERNEL float stw_size_f32(float x) {
    return stw_from_bits_f32(stw_bits_f32(x) & INT32_MAX);
}

/* A number that is not negative, with the sign of another. */
STW_KERNEL float stw_with_sign_f32(float size, float sign) {
    return stw_from_bits_f32(stw_bits_f32(size) | (stw_bits_f32(sign) & INT32_MIN));
}

/* 2^k for -126 <= k <= 127. */
STW_KERNEL float stw_power_of_two_f32(int32_t k) {
    return stw_from_bits_f32((k + 127) * (1 << 23));
}

/*
 * e^r 2^k for |r| <= ln(2) / 2. e^r is a polynomial that is minimax in the relative error; 2^k is applied in two
 * halves, so that subnormal results are rounded once and overflow gives infinity.
 */
STW_KERNEL float stw_scaled_exp_f32(float r, int32_t k) {
    const float tail =
        (((0.0013813145f * r + 0.00836941879f) * r + 0.0416684560f) * r + 0.166665152f) * r + 0.49999994f;
    const float power = 1.0f + (r + r * r * tail);
    const int32_t half = k >> 1;

    return power * stw_power_of_two_f32(half) * stw_power_of_two_f32(k - half);
}

/* e^x: x = k ln 2 + r after Cody and Waite (ln 2 in two parts, the first short enough for k times it to be exact). */
STW_KERNEL float stw_exp_f32(float x) {
    const float clamped = stw_clamp_f32(x, -105.0f, 89.0f);
    const float shifted = clamped * 1.44269504f + STW_ROUNDER_F32;
    const int32_t k = stw_bits_f32(shifted) - stw_bits_f32(STW_ROUNDER_F32);
    const float multiple = shifted - STW_ROUNDER_F32;
    const float r = (clamped - multiple * 0.693359375f) - multiple * -2.12194440e-4f;

    return stw_scaled_exp_f32(r, k);
}

/*
 * The hyperbolic tangent: below 5/8 an odd polynomial, minimax in the relative error; above, 1 - 2 /
 * (e^(2|x|) + 1), which loses nothing there. Both are computed and one is chosen.
 */
STW_KERNEL float stw_tanh_f32(float x) {
    const float size = stw_size_f32(x);
    const float square = size * size;
    const float series =
        (((-0.00571704470f * square + 0.0206505861f) * square - 0.0537434965f) * square + 0.133314908f) *
            square -
        0.333332837f;
    const float small = size + size * square * series;
    const float large = 1.0f - 2.0f / (stw_exp_f32(size + size) + 1.0f);
    const float result = stw_by_sign_f32(size - 0.625f, small, large);

    return stw_with_sign_f32(result, x);
}

/* e^x - 1 for x <= 0, from t = tanh(x / 2): 2 t / (1 - t) cancels nowhere. */
STW_KERNEL float stw_expm1_f32(float x) {
    const float t = stw_tanh_f32(0.5f * x);

    return (t + t) / (1.0f - t);
}

/* The logistic function 1 / (1 + e^-x). */
STW_KERNEL float stw_sigmoid_f32(float x) {
    return 1.0f / (1.0f + stw_exp_f32(-x));
}

#endif /* STOWAGE_CORE_MATH_H */
