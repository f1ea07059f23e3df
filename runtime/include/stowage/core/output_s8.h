/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last step of the int8 kernels that accumulate: from int32 sums to int8 output elements.
 */
#ifndef STOWAGE_CORE_OUTPUT_S8_H
#define STOWAGE_CORE_OUTPUT_S8_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/requantise.h"

#if defined(__ARM_FEATURE_MVE)
#include <arm_mve.h>
#endif

/*
 * How sums become output elements: requantised, plus the zero point, clamped to [lowest, highest] (within int8).
 *
 * Multipliers and shifts are in arrays, one entry an output channel if per_channel, else one for all.
 * narrow: every shift is at least 33 (single rounding) or 31 (double rounding), which takes fewer instructions. Never set
 * with rounding away from zero.
 */
struct stw_output_s8 {
    int32_t zero_point;
    int32_t lowest;
    int32_t highest;
    int32_t per_channel;
    int32_t narrow;
    int32_t rounding;
};

/* What one sum becomes before it is clamped. */
STW_KERNEL int32_t stw_output_value(const struct stw_output_s8 *output, int32_t sum, int32_t multiplier,
                                    int32_t shift) {
    if (!output->narrow) {
        return stw_requantise(sum, multiplier, shift, output->rounding) + output->zero_point;
    }
    if (output->rounding == STW_ROUNDING_DOUBLE) {
        return stw_requantise_double_right(sum, multiplier, shift - 31) + output->zero_point;
    }
    return stw_requantise_high(sum, multiplier, shift - STW_HIGH_WORD_SHIFT, output->zero_point);
}

/* The output element for one sum. */
STW_KERNEL int8_t stw_output_element_s8(const struct stw_output_s8 *output, int32_t sum, int32_t multiplier,
                                        int32_t shift) {
    return stw_clamp_s8(stw_output_value(output, sum, multiplier, shift), output->lowest, output->highest);
}

#if defined(__ARM_FEATURE_MVE)
/* The output elements for four sums at once, where `narrow` is set. */
STW_KERNEL int32x4_t stw_output_quad(const struct stw_output_s8 *output, int32x4_t sums,
                                     int32x4_t multipliers, int32x4_t shifts) {
    int32x4_t values;

    if (output->rounding == STW_ROUNDING_DOUBLE) {
        const int32x4_t products = vqrdmulhq_s32(sums, multipliers);
        const int32x4_t left = vsubq_s32(vdupq_n_s32(31), shifts);
        /* -1 where a negative product is divided: halves go away from zero, and the shift rounds them up. */
        const int32x4_t away = vshrq_n_s32(vandq_s32(products, left), 31);

        values = vrshlq_s32(vqaddq_s32(products, away), left);
    } else {
        values = vrshlq_s32(vmulhq_s32(sums, multipliers),
                            vsubq_s32(vdupq_n_s32(STW_HIGH_WORD_SHIFT - 1), shifts));
    }
    values = vaddq_n_s32(values, output->zero_point);
    return vminq_s32(vmaxq_s32(values, vdupq_n_s32(output->lowest)), vdupq_n_s32(output->highest));
}
#endif

/* The same where elements are int16. */
STW_KERNEL int16_t stw_output_word(const struct stw_output_s8 *output, int32_t sum, int32_t multiplier,
                                   int32_t shift) {
    return (int16_t)stw_clamp(stw_output_value(output, sum, multiplier, shift), output->lowest,
                              output->highest);
}

#endif
