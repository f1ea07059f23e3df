/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sine and cosine of binary32 numbers, for all finite arguments within 3 ulp, or 2^-44 where that is more (of an
 * infinity: some number of [-1, 1]); the tangent within 5 ulp, or 2^-44.
 * No branches on data.
 *
 * Reduction after Payne and Hanek: x = m 2^p with a whole m of 24 bits; m times those 96 bits of 1 / (2 pi) that
 * 2^p puts right behind the point gives the turns modulo 1, whatever the size of x.
 */
#ifndef STOWAGE_CORE_ANGLE_H
#define STOWAGE_CORE_ANGLE_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/math.h"

/* An angle in [-pi/4, pi/4], and the quarter turns (modulo 4) that lie before it. */
struct stw_angle_f32 {
    float radians;
    uint32_t quarters;
};

/* Bits [32 word + shift, 32 word + shift + 32) of 64 zeros followed by 1 / (2 pi). */
STW_KERNEL uint32_t stw_turn_bits(int32_t word, int32_t shift) {
    static const uint32_t bits[] = {0u,          0u,          0x28BE60DBu, 0x9391054Au, 0x7F09D5F4u,
                                    0x7D4D3770u, 0x36D8A566u, 0x4F10E410u, 0x7F9458EAu};

    return (bits[word] << shift) | ((bits[word + 1] >> 1) >> (31 - shift));
}

/* The angle of |x|, for |x| >= 2^-40: below, that of 2^-40. */
STW_KERNEL struct stw_angle_f32 stw_reduce_angle_f32(float x) {
    const int32_t bits = stw_bits_f32(stw_size_f32(x));
    const int32_t place = stw_clamp((bits >> 23) - 150 + 64, 0, 168);
    const uint64_t m = ((uint32_t)bits & 0x7FFFFFu) | 0x800000u;
    const uint64_t low = m * stw_turn_bits((place >> 5) + 2, place & 31);
    const uint64_t middle = m * stw_turn_bits((place >> 5) + 1, place & 31) + (low >> 32);
    const uint32_t turns = (uint32_t)(m * stw_turn_bits(place >> 5, place & 31) + (middle >> 32));
    const uint32_t quarters = (turns + (1u << 29)) >> 30;
    const int32_t rest = (int32_t)(turns - (quarters << 30));
    const uint32_t fine = (((uint32_t)rest & 0xFFu) << 16) | ((uint32_t)middle >> 16);
    const float eighths = (float)(rest >> 8) * 0x1p-24f + (float)(int32_t)fine * 0x1p-48f;
    const struct stw_angle_f32 angle = {eighths * 6.28318531f, quarters & 3u};

    return angle;
}

/* sin r for |r| <= pi/4. */
STW_KERNEL float stw_small_sine_f32(float r) {
    const float z = r * r;

    return r + r * z * ((-0.000195140838f * z + 0.00833215504f) * z - 0.166666546f);
}

/* cos r for |r| <= pi/4. */
STW_KERNEL float stw_small_cosine_f32(float r) {
    const float z = r * r;

    return 1.0f - (0.5f * z - z * z * ((2.44348442e-5f * z - 0.00138873371f) * z + 0.0416666463f));
}

/* The sine of an angle: the cosine of its rest after an odd number of quarters, negative in the second half turn. */
STW_KERNEL float stw_sine_of_angle_f32(struct stw_angle_f32 angle) {
    const int32_t odd = -(int32_t)(angle.quarters & 1u);
    const float sine =
        stw_choose_f32(odd, stw_small_cosine_f32(angle.radians), stw_small_sine_f32(angle.radians));

    return stw_choose_f32(-(int32_t)((angle.quarters >> 1) & 1u), -sine, sine);
}

STW_KERNEL float stw_sin_f32(float x) {
    const float sine = stw_sine_of_angle_f32(stw_reduce_angle_f32(x));
    const float turned = stw_choose_f32(stw_bits_f32(x) >> 31, -sine, sine);

    return stw_choose_f32(-(int32_t)(stw_size_f32(x) < 0x1p-12f), x, turned);
}

STW_KERNEL float stw_cos_f32(float x) {
    struct stw_angle_f32 angle = stw_reduce_angle_f32(x);

    angle.quarters += 1u;
    return stw_sine_of_angle_f32(angle);
}

/* Sine by cosine of the angle's rest, or what they are a quarter turn on. */
STW_KERNEL float stw_tan_f32(float x) {
    const struct stw_angle_f32 angle = stw_reduce_angle_f32(x);
    const int32_t odd = -(int32_t)(angle.quarters & 1u);
    const float sine = stw_small_sine_f32(angle.radians);
    const float cosine = stw_small_cosine_f32(angle.radians);
    const float tangent = stw_choose_f32(odd, -cosine, sine) / stw_choose_f32(odd, sine, cosine);
    const float turned = stw_choose_f32(stw_bits_f32(x) >> 31, -tangent, tangent);

    return stw_choose_f32(-(int32_t)(stw_size_f32(x) < 0x1p-12f), x, turned);
}

#endif /* STOWAGE_CORE_ANGLE_H */
