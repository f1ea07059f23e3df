/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The error function of binary32 numbers within 2 ulp: below 0.9 an odd polynomial, above 1 - e^p(|x|) with a polynomial p that
 * approximates the logarithm of erfc. Both are computed and one is chosen.
 */
#ifndef STOWAGE_CORE_ERF_H
#define STOWAGE_CORE_ERF_H

#include "stowage/core/kernel.h"
#include "stowage/core/math.h"

STW_KERNEL float stw_erf_f32(float x) {
    const float size = stw_clamp_f32(stw_size_f32(x), 0.0f, 4.0f);
    const float z = size * size;
    const float series =
        ((((-6.09035798e-4f * z + 0.00501196241f) * z - 0.0267789086f) * z + 0.112821408f) * z -
         0.376125233f) *
        z;
    const float small = size + size * (0.128379154f + series);
    const float low = ((1.97182591e-4f * size - 0.00305561542f) * size + 0.022277116f) * size - 0.104037415f;
    const float logarithm = ((low * size - 0.637059695f) * size - 1.12774959f) * size - 1.774875e-4f;
    const float large = 1.0f - stw_exp_f32(logarithm);

    return stw_with_sign_f32(stw_by_sign_f32(size - 0.9f, small, large), x);
}

#endif /* STOWAGE_CORE_ERF_H */
