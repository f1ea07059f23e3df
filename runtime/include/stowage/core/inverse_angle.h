/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Angles of which the sine, cosine or tangent is given. No tables, no branches on data.
 *
 *   function       domain       largest error
 *   stw_asin_f32   [-1, 1]      3 ulp; a NaN outside
 *   stw_acos_f32   [-1, 1]      2 ulp; a NaN outside
 *   stw_atan_f32   all numbers  3 ulp; a NaN counts as an infinity of its sign
 *
 * The polynomials are minimax in the relative error.
 */
#ifndef STOWAGE_CORE_INVERSE_ANGLE_H
#define STOWAGE_CORE_INVERSE_ANGLE_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/math.h"
#include "stowage/core/round.h"

#define STW_HALF_PI_F32 1.57079633f

/* asin x for |x| <= 1/2. */
STW_KERNEL float stw_small_asin_f32(float x) {
    const float z = x * x;
    const float series =
        (((0.042166315f * z + 0.0241795108f) * z + 0.0454703756f) * z + 0.0749529749f) * z + 0.166667521f;

    return x + x * z * series;
}

/* The root that leads from a sine near 1 to one below 1/2: asin x = pi/2 - 2 asin(root). */
STW_KERNEL float stw_half_angle_f32(float size) {
    return stw_sqrt_f32(0.5f * (1.0f - size));
}

STW_KERNEL float stw_asin_f32(float x) {
    const float size = stw_size_f32(x);
    const int32_t above = -(int32_t)(size > 0.5f);
    const float part = stw_small_asin_f32(stw_choose_f32(above, stw_half_angle_f32(size), size));

    return stw_with_sign_f32(stw_choose_f32(above, STW_HALF_PI_F32 - 2.0f * part, part), x);
}

STW_KERNEL float stw_acos_f32(float x) {
    const float size = stw_size_f32(x);
    const int32_t above = -(int32_t)(size > 0.5f);
    const float part = stw_small_asin_f32(stw_choose_f32(above, stw_half_angle_f32(size), x));
    const float far = stw_by_sign_f32(x, 2.0f * STW_HALF_PI_F32 - 2.0f * part, 2.0f * part);

    return stw_choose_f32(above, far, STW_HALF_PI_F32 - part);
}

/* Below tan(pi/8) as it is, up to tan(3 pi/8) less a quarter of pi, above by the reciprocal. */
STW_KERNEL float stw_atan_f32(float x) {
    const float size = stw_clamp_f32(stw_size_f32(x), 0.0f, 0x1p100f);
    const int32_t middle = -(int32_t)(size > 0.414213562f);
    const int32_t high = -(int32_t)(size > 2.41421356f);
    const float above = stw_choose_f32(high, -1.0f, size - 1.0f);
    const float below = stw_choose_f32(high, size, size + 1.0f);
    const float start = stw_choose_f32(high, STW_HALF_PI_F32, 0.5f * STW_HALF_PI_F32);
    const float t = stw_choose_f32(middle, above, size) / stw_choose_f32(middle, below, 1.0f);
    const float z = t * t;
    const float series = ((0.0805372223f * z - 0.138776779f) * z + 0.199777097f) * z - 0.333329499f;
    const float angle = t + t * z * series;

    return stw_with_sign_f32(stw_choose_f32(middle, start + angle, angle), x);
}

#endif /* STOWAGE_CORE_INVERSE_ANGLE_H */
