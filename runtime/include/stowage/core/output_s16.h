/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The last step of the int16 kernels that accumulate in 64 bits: from sums to int16 output elements, which have no zero
 * point. stowage/ir/tflite/wide_product.py is the definition.
 *
 * The real multiplier is `multiplier * 2^-shift`, with multiplier in [2^30, 2^31) or 0 and shift in [24, 62]; the exact
 * product is rounded once, halves upwards. Sums are below 2^47 in magnitude. No branches on data.
 */
#ifndef STOWAGE_CORE_OUTPUT_S16_H
#define STOWAGE_CORE_OUTPUT_S16_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/multiply.h"

/* Multipliers and shifts are in arrays, one entry an output channel if per_channel, else one for all. */
struct stw_output_s16 {
    int32_t lowest; /* within int16 */
    int32_t highest;
    int32_t per_channel;
};

/* A number below 2^61 in magnitude, or the bound of 2^30 that it is beyond. */
STW_KERNEL int32_t stw_limit_s64(int64_t number) {
    const int32_t above = (int32_t)(number >> 30);
    const int32_t sign = above >> 31;
    const uint32_t excess = (uint32_t)(above ^ sign);
    const int32_t beyond = (int32_t)(excess | (0u - excess)) >> 31;

    return ((sign ^ 0x3FFFFFFF) & beyond) | ((int32_t)number & ~beyond);
}

/* sum * multiplier * 2^-shift. The sum's lowest 16 bits have a product of their own, so that all fits 64 bits. */
STW_KERNEL int32_t stw_requantise_wide(int64_t sum, int32_t multiplier, int32_t shift) {
    const int64_t low = stw_multiply((int32_t)(sum & 0xFFFF), multiplier) + ((int64_t)1 << (shift - 1));
    const int64_t high = stw_multiply((int32_t)(sum >> 16), multiplier);

    return stw_limit_s64((high + (low >> 16)) >> (shift - 16));
}

/* The output element for one sum. */
STW_KERNEL int16_t stw_output_element_s16(const struct stw_output_s16 *output, int64_t sum,
                                          int32_t multiplier, int32_t shift) {
    return (int16_t)stw_clamp(stw_requantise_wide(sum, multiplier, shift), output->lowest, output->highest);
}

#endif
