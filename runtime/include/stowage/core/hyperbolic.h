/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Hyperbolic functions beside the tangent (math.h), and their inverses. No tables, no branches on data.
 *
 *   function        domain       largest error
 *   stw_sinh_f32    all numbers  6 ulp
 *   stw_cosh_f32    all numbers  4 ulp
 *   stw_asinh_f32   all numbers  3 ulp
 *   stw_acosh_f32   x >= 1       3 ulp; a NaN below
 *   stw_atanh_f32   [-1, 1]      3 ulp; infinities at the ends, a NaN outside
 *
 * A NaN counts as an infinity of its sign.
 */
#ifndef STOWAGE_CORE_HYPERBOLIC_H
#define STOWAGE_CORE_HYPERBOLIC_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/logarithm.h"
#include "stowage/core/math.h"
#include "stowage/core/round.h"

/* From here on e^x counts alone: 2^20. */
#define STW_ALONE_F32 1048576.0f

/* e^x / 2 for x >= 0, which is finite for a little longer than e^x. */
STW_KERNEL float stw_half_exp_f32(float x) {
    const float root = stw_exp_f32(0.5f * x);

    return (0.5f * root) * root;
}

/* Below 1 from e^-x - 1 = m, which cancels nowhere: -m (2 + m) / (2 (1 + m)). */
STW_KERNEL float stw_sinh_f32(float x) {
    const float size = stw_size_f32(x);
    const float m = stw_expm1_f32(-size);
    const float half = stw_half_exp_f32(size);
    const float small = -m * (2.0f + m) / (2.0f + 2.0f * m);
    const float large = half - 0.25f / half;

    return stw_with_sign_f32(stw_by_sign_f32(size - 1.0f, small, large), x);
}

STW_KERNEL float stw_cosh_f32(float x) {
    const float half = stw_half_exp_f32(stw_size_f32(x));

    return half + 0.25f / half;
}

/* The logarithm of 1 + rest where `small`, else of `number`. */
STW_KERNEL float stw_log_of_either_f32(int32_t small, float rest, float number) {
    const float sum = stw_choose_f32(small, 1.0f + rest, number);
    const float lost = stw_choose_f32(small, rest - (sum - 1.0f), 0.0f);

    return stw_log_f32(sum) + lost / stw_choose_f32(small, sum, 1.0f);
}

STW_KERNEL float stw_asinh_f32(float x) {
    const float size = stw_size_f32(x);
    const int32_t large = -(int32_t)(size > STW_ALONE_F32);
    const float part = stw_choose_f32(large, 0.0f, size);
    const float root = stw_sqrt_f32(part * part + 1.0f);
    const float number = stw_choose_f32(large, size, part + root);
    const float rest = part + part * part / (1.0f + root);
    const float logarithm = stw_log_of_either_f32(-(int32_t)(size < 0.75f), rest, number);

    return stw_with_sign_f32(logarithm + stw_choose_f32(large, 0.693147181f, 0.0f), x);
}

STW_KERNEL float stw_acosh_f32(float x) {
    const int32_t large = -(int32_t)(x > STW_ALONE_F32);
    const float above = stw_choose_f32(large, 0.0f, x) - 1.0f;
    const float root = stw_sqrt_f32(above * (above + 2.0f));
    const float number = stw_choose_f32(large, x, 1.0f + above + root);
    const float logarithm = stw_log_of_either_f32(-(int32_t)(x < 1.25f), above + root, number);
    const float result = logarithm + stw_choose_f32(large, 0.693147181f, 0.0f);

    return stw_choose_f32(-(int32_t)(x < 1.0f), STW_NAN, result);
}

STW_KERNEL float stw_atanh_f32(float x) {
    const float size = stw_size_f32(x);
    const float rest = 2.0f * size / (1.0f - size);
    const float number = (1.0f + size) / (1.0f - size);
    const float twice = stw_log_of_either_f32(-(int32_t)(size < 0.33f), rest, number);

    return stw_choose_f32(-(int32_t)(size > 1.0f), STW_NAN, stw_with_sign_f32(0.5f * twice, x));
}

#endif /* STOWAGE_CORE_HYPERBOLIC_H */
