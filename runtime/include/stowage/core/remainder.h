/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The rest of a division of two floats, exact whatever their ratio.
 *
 *   stw_fmod_f32   the sign of x, as C's fmod: x for an infinite y, a NaN for an infinite x or a y of 0
 *   stw_mod_f32    the sign of y, as NumPy's mod; a rest of 0 too
 *
 * Long division in binary: the significand of x, eight bits at a time, by that of y. The steps are as many as the
 * largest ratio needs, whatever the numbers.
 */
#ifndef STOWAGE_CORE_REMAINDER_H
#define STOWAGE_CORE_REMAINDER_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/logarithm.h"
#include "stowage/core/math.h"

/* Eight bits a step; the exponents of two floats differ by at most 253. */
#define STW_REMAINDER_STEPS 32

/* The significand of a float without its sign, whole; the number is it times 2^(exponent - 150). */
STW_KERNEL uint32_t stw_whole_significand(int32_t size) {
    return ((uint32_t)size & 0x7FFFFFu) | (uint32_t)(-(int32_t)(size >= 0x00800000) & 0x00800000);
}

STW_KERNEL int32_t stw_whole_exponent(int32_t size) {
    return stw_larger_near(size >> 23, 1);
}

/* The rest for finite sizes as bits, the second one not 0 and its exponent not above the first one's. */
STW_KERNEL float stw_rest_of_sizes_f32(int32_t x, int32_t y) {
    const uint32_t divisor = stw_whole_significand(y);
    const int32_t exponent = stw_whole_exponent(y) - 150;
    const int32_t half = exponent >> 1;
    int32_t bits = stw_whole_exponent(x) - stw_whole_exponent(y);
    uint32_t rest = stw_whole_significand(x) % divisor;

    for (int32_t step = 0; step < STW_REMAINDER_STEPS; ++step) {
        const int32_t shift = stw_clamp(bits, 0, 8);

        rest = (rest << shift) % divisor;
        bits -= shift;
    }
    return (float)(int32_t)rest * stw_power_of_two_f32(half) * stw_power_of_two_f32(exponent - half);
}

STW_KERNEL float stw_fmod_f32(float x, float y) {
    const int32_t a = stw_bits_f32(x) & INT32_MAX;
    const int32_t b = stw_bits_f32(y) & INT32_MAX;
    const int32_t undefined = -(int32_t)((a >= 0x7F800000) | (b > 0x7F800000) | (b == 0));
    const int32_t smaller = -(int32_t)(a < b);
    const int32_t divisor = (b & ~undefined) | (1 & undefined);
    const float rest = stw_rest_of_sizes_f32(a & ~undefined, divisor);
    const float size = stw_choose_f32(smaller, stw_from_bits_f32(a), rest);

    return stw_choose_f32(undefined, STW_NAN, stw_with_sign_f32(size, x));
}

STW_KERNEL float stw_mod_f32(float x, float y) {
    const float rest = stw_fmod_f32(x, y);
    const int32_t none = -(int32_t)(rest == 0.0f);
    const int32_t differ = (stw_bits_f32(rest) ^ stw_bits_f32(y)) >> 31;
    const float moved = stw_choose_f32(differ, rest + y, rest);

    return stw_choose_f32(none, stw_with_sign_f32(0.0f, y), moved);
}

#endif /* STOWAGE_CORE_REMAINDER_H */
