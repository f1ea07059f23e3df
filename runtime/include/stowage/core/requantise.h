/* SPDX-License-Identifier: Apache-2.0 */
/*
 * From an int32 accumulator to an integer of another scale: times a real multiplier, rounded.
 *
 * The real multiplier is `multiplier * 2^-shift`, with multiplier in [2^30, 2^31) or 0 and shift in [1, 62]; the compiler
 * computes both (stowage/ir/requantise.py defines the same arithmetic). Three ways to round, chosen by a constant:
 *
 *   STW_ROUNDING_SINGLE  floor(product * 2^-shift + 1/2), of the exact 64-bit product: ties go up.
 *   STW_ROUNDING_DOUBLE  TensorFlow Lite's: the product is rounded to 31 bits less (ties up), then divided by
 *                        2^(shift - 31) with ties away from zero. Where shift < 31 the accumulator is first shifted left.
 *   STW_ROUNDING_AWAY    as the first, of the magnitude: ties go away from zero.
 *
 * Accumulators of a single rounding are below 2^30 in magnitude; the compiler refuses a node whose weights do not guarantee
 * that. Results are below 2^30 too, so that adding a zero point cannot overflow: one that would be 2^28 or more is some
 * number above that. Double rounding takes any accumulator.
 */
#ifndef STOWAGE_CORE_REQUANTISE_H
#define STOWAGE_CORE_REQUANTISE_H

#include <stdint.h>

#include "stowage/core/fixed_point.h"
#include "stowage/core/kernel.h"
#include "stowage/core/multiply.h"

#define STW_ROUNDING_SINGLE 0
#define STW_ROUNDING_DOUBLE 1
#define STW_ROUNDING_AWAY 2

/* What accumulators stay below in magnitude. */
#define STW_ACCUMULATOR_LIMIT 0x40000000

/* From this shift on, single rounding needs the product's high word alone. */
#define STW_HIGH_WORD_SHIFT 33

/* Single rounding plus `offset`, where shift = 33 + above and above is in [0, 29]: two shifts and one addition. */
STW_KERNEL int32_t stw_requantise_high(int32_t accumulator, int32_t multiplier, int32_t above,
                                       int32_t offset) {
    return ((stw_multiply_high(accumulator, multiplier) >> above) + (2 * offset + 1)) >> 1;
}

/* The accumulator, saturated where multiplying it by 2^(31 - shift) would not fit. */
STW_KERNEL int32_t stw_limit_accumulator(int32_t accumulator, int32_t shift) {
    const int32_t limit = (int32_t)1 << (stw_minimum(shift, 31) - 1);

    return shift < 31 ? stw_clamp(accumulator, -limit, limit) : accumulator;
}

/* Single rounding for any shift. */
STW_KERNEL int32_t stw_requantise_single(int32_t accumulator, int32_t multiplier, int32_t shift) {
    const int64_t half = (int64_t)1 << (shift - 1);

    return (int32_t)((stw_multiply(stw_limit_accumulator(accumulator, shift), multiplier) + half) >> shift);
}

/* Double rounding, where shift = 31 + right and right is in [0, 31], of any accumulator. */
STW_KERNEL int32_t stw_requantise_double_right(int32_t accumulator, int32_t multiplier, int32_t right) {
    return stw_fixed_divide(stw_fixed_product(accumulator, multiplier), right);
}

/* Double rounding for any shift. */
STW_KERNEL int32_t stw_requantise_double(int32_t accumulator, int32_t multiplier, int32_t shift) {
    const int32_t right = stw_maximum(shift, 31) - 31;
    const int32_t left = right + 31 - shift;
    const int32_t shifted = stw_limit_accumulator(accumulator, shift) * ((int32_t)1 << left);

    return stw_requantise_double_right(shifted, multiplier, right);
}

/* Single rounding of the magnitude, for any shift. */
STW_KERNEL int32_t stw_requantise_away(int32_t accumulator, int32_t multiplier, int32_t shift) {
    const int32_t sign = accumulator >> 31;
    const int32_t size = stw_requantise_single((accumulator ^ sign) - sign, multiplier, shift);

    return (size ^ sign) - sign;
}

/* accumulator * multiplier * 2^-shift, rounded as the constant `rounding` says. */
STW_KERNEL int32_t stw_requantise(int32_t accumulator, int32_t multiplier, int32_t shift, int32_t rounding) {
    if (rounding == STW_ROUNDING_DOUBLE) {
        return stw_requantise_double(accumulator, multiplier, shift);
    }
    if (rounding == STW_ROUNDING_AWAY) {
        return stw_requantise_away(accumulator, multiplier, shift);
    }
    return shift >= STW_HIGH_WORD_SHIFT
               ? stw_requantise_high(accumulator, multiplier, shift - STW_HIGH_WORD_SHIFT, 0)
               : stw_requantise_single(accumulator, multiplier, shift);
}

#endif
