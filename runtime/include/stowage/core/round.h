/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Binary32 numbers rounded to whole ones, exactly, and the square root, rounded correctly. A zero result has the
 * argument's sign; infinities stay. No branches on data.
 */
#ifndef STOWAGE_CORE_ROUND_H
#define STOWAGE_CORE_ROUND_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/math.h"

/* From here on every number is whole: 2^23. */
#define STW_WHOLE_F32 8388608.0f

/* To the nearest, halves to even. */
STW_KERNEL float stw_nearest_f32(float x) {
    const float size = stw_size_f32(x);
    const float rounded = (size + STW_WHOLE_F32) - STW_WHOLE_F32;

    return stw_with_sign_f32(stw_choose_f32(-(int32_t)(size < STW_WHOLE_F32), rounded, size), x);
}

/* Downwards. */
STW_KERNEL float stw_floor_f32(float x) {
    const float nearest = stw_nearest_f32(x);

    return stw_choose_f32(-(int32_t)(nearest > x), nearest - 1.0f, nearest);
}

/* Upwards. */
STW_KERNEL float stw_ceil_f32(float x) {
    return -stw_floor_f32(-x);
}

/* Towards zero. */
STW_KERNEL float stw_truncate_f32(float x) {
    return stw_with_sign_f32(stw_floor_f32(stw_size_f32(x)), x);
}

/* The 25 bits of the root of a number of 26 bits followed by 24 zeros, two bits at a time. */
STW_KERNEL uint32_t stw_root_bits(uint32_t number) {
    uint32_t root = 0;
    uint32_t rest = 0;

    for (int32_t pair = 12; pair > -13; --pair) {
        const uint32_t next = pair >= 0 ? (number >> (2 * pair)) & 3u : 0u;
        const uint32_t remainder = (rest << 2) | next;
        const uint32_t trial = (root << 2) | 1u;
        const uint32_t fits = 0u - (uint32_t)(remainder >= trial);

        rest = remainder - (trial & fits);
        root = (root << 1) | (fits & 1u);
    }
    return root;
}

/* The root of a normal number. The bit below the last decides: a root is never halfway between two floats. */
STW_KERNEL float stw_root_of_normal_f32(float x) {
    const int32_t bits = stw_bits_f32(x);
    const int32_t exponent = ((bits >> 23) & 255) - 127;
    const uint32_t mantissa = ((uint32_t)bits & 0x7FFFFFu) | 0x800000u;
    const uint32_t root = (stw_root_bits(mantissa << (1 + (exponent & 1))) + 1u) >> 1;

    return stw_from_bits_f32(((exponent >> 1) + 126) * (1 << 23) + (int32_t)root);
}

/* The square root; of negative numbers a NaN. Where the core has an instruction for it, that gives the same bits. */
STW_KERNEL float stw_sqrt_f32(float x) {
#if defined(__ARM_FP) && (__ARM_FP & 4)
    float root;

    __asm__("vsqrt.f32 %0, %1" : "=t"(root) : "t"(x));
    return root;
#else
    const int32_t bits = stw_bits_f32(x);
    const int32_t tiny = -(int32_t)(bits < 0x00800000);
    const float root = stw_root_of_normal_f32(stw_choose_f32(tiny, x * 0x1p24f, x));
    const float scaled = stw_choose_f32(tiny, root * 0x1p-12f, root);
    const float limit = stw_choose_f32(bits >> 31, x - x + stw_from_bits_f32(0x7FC00000), x);
    const int32_t special = -(int32_t)(bits >= 0x7F800000) | (bits >> 31);

    return stw_choose_f32(-(int32_t)(x == 0.0f), x, stw_choose_f32(special, limit, scaled));
#endif
}

#endif /* STOWAGE_CORE_ROUND_H */
