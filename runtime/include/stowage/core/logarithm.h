/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logarithms and powers of binary32 numbers. No tables, no branches on data.
 *
 *   function        domain        largest error
 *   stw_log_f32     x > 0         1 ulp; -infinity at 0, a NaN below
 *   stw_log1p_f32   0 <= x <= 1   2 ulp; log(1 + x)
 *   stw_pow_f32     all numbers   relative 2^-23 (2 + 2 |y log2 x|), one step of 2^-149 where subnormal
 *
 * pow follows C and ONNX: x^0 = 1, a negative x needs a whole y (else a NaN). A NaN counts as an infinity of its sign.
 */
#ifndef STOWAGE_CORE_LOGARITHM_H
#define STOWAGE_CORE_LOGARITHM_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/math.h"

#define STW_NAN stw_from_bits_f32(0x7FC00000)

/* A positive number as 2^exponent (1 + fraction), 1 + fraction in [sqrt(1/2), sqrt(2)). */
struct stw_split_f32 {
    float exponent;
    float fraction;
};

STW_KERNEL struct stw_split_f32 stw_split_f32(float x) {
    const int32_t tiny = -(int32_t)(stw_bits_f32(x) < 0x00800000);
    const int32_t bits = stw_bits_f32(stw_choose_f32(tiny, x * 0x1p23f, x));
    const int32_t exponent = (bits - 0x3F3504F3) >> 23;
    const float significand = stw_from_bits_f32(bits - exponent * (1 << 23));
    const struct stw_split_f32 split = {(float)(exponent - (tiny & 23)), significand - 1.0f};

    return split;
}

/*
 * How far log(1 + f) lies below f. With s = f / (2 + f) it is 2 (s + s^3/3 + s^5/5 + ...) = f - s (f - s^2 2/3 - ...),
 * and |s| < 0.172.
 */
STW_KERNEL float stw_log_deficit_f32(float f) {
    const float s = f / (2.0f + f);
    const float z = s * s;
    const float series = z * (0.666666667f + z * (0.4f + z * (0.285714286f + z * 0.222222222f)));

    return s * (f - series);
}

STW_KERNEL float stw_log_f32(float x) {
    const int32_t bits = stw_bits_f32(x);
    const struct stw_split_f32 split = stw_split_f32(x);
    const float k = split.exponent;
    const float low = stw_log_deficit_f32(split.fraction) - k * -2.12194440e-4f;
    const float logarithm = k * 0.693359375f + (split.fraction - low);
    const float limited = stw_choose_f32(-(int32_t)(bits >= 0x7F800000), STW_INFINITY, logarithm);
    const float signed_ = stw_choose_f32(bits >> 31, STW_NAN, limited);

    return stw_choose_f32(-(int32_t)(x == 0.0f), -STW_INFINITY, signed_);
}

/* log(1 + x): what the sum lost comes back through the derivative. */
STW_KERNEL float stw_log1p_f32(float x) {
    const float sum = 1.0f + x;

    return stw_log_f32(sum) + (x - (sum - 1.0f)) / sum;
}

/*
 * size^y for size >= 0: 2^(y (k + log2(1 + f))). The exponent is summed from parts of y so short that their
 * products with k are exact. At 0 and infinity k is beyond everything.
 */
STW_KERNEL float stw_pow_of_size_f32(float size, float y) {
    const int32_t bits = stw_bits_f32(size);
    const struct stw_split_f32 split = stw_split_f32(size);
    const float finite = stw_choose_f32(-(int32_t)(bits >= 0x7F800000), 0x1p100f, split.exponent);
    const float k = stw_choose_f32(-(int32_t)(bits == 0), -0x1p100f, finite);
    const float fraction = split.fraction - stw_log_deficit_f32(split.fraction);
    const float times = stw_clamp_f32(y, -0x1p60f, 0x1p60f);
    const float high = stw_from_bits_f32(stw_bits_f32(times) & ~0xFFF);
    const float rest = (times - high) * k + times * (fraction * 1.44269504f);
    const float whole = stw_clamp_f32(high * k + rest, -152.0f, 130.0f);
    const int32_t n = stw_round_f32(whole);
    const float left = stw_clamp_f32((high * k - (float)n) + rest, -0.5f, 0.5f);

    return stw_scaled_exp_f32(left * 0.693147181f, n);
}

STW_KERNEL float stw_pow_f32(float x, float y) {
    const float power = stw_pow_of_size_f32(stw_size_f32(x), y);
    const int32_t huge = -(int32_t)(stw_size_f32(y) >= 0x1p24f);
    const int32_t number = (int32_t)stw_choose_f32(huge, 0.0f, y);
    const int32_t whole = -(int32_t)((float)number == y) | huge;
    const int32_t negative = stw_bits_f32(x) >> 31;
    const int32_t undefined = negative & ~whole & -(int32_t)(x != 0.0f) & -(int32_t)(x != -STW_INFINITY);
    const int32_t flipped = negative & whole & -(number & 1);

    return stw_choose_f32(undefined, STW_NAN, stw_choose_f32(flipped, -power, power));
}

#endif /* STOWAGE_CORE_LOGARITHM_H */
