/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sum or difference of two int8 tensors of different scales, broadcast (shapes, alignment and overlap:
 * binary.h).
 *
 *     real = a_scale * (a - a_zero_point) ± b_scale * (b - b_zero_point)
 *
 * in 32-bit fixed point: each operand's scale over the output's becomes a multiplier with `shift` fractional
 * bits, and the sum is rounded once, halves upwards:
 *
 *     output = clamp(((a * a_multiplier + b * b_multiplier + offset) >> shift) + output_zero_point)
 *
 * where offset = 2^(shift - 1) - a_zero_point * a_multiplier - b_zero_point * b_multiplier. A difference is a
 * sum with a negative b_multiplier.
 *
 * Ranges: 1 <= shift <= 23 and |multiplier| <= 2^22, so that every partial sum, taken in this order from the
 * offset on, stays below 2^31. stowage/ir/fixed_point_add.py chooses them and is the definition.
 */
#ifndef STOWAGE_KERNELS_ADD_S8_H
#define STOWAGE_KERNELS_ADD_S8_H

#include "stowage/kernels/binary.h"

struct stw_add_s8_params {
    STW_BINARY_SHAPE
    int32_t a_multiplier;
    int32_t b_multiplier;
    int32_t offset;
    int32_t shift;
    int32_t output_zero_point;
    int32_t lowest; /* of the output, -128 <= lowest <= highest <= 127 */
    int32_t highest;
};

STW_KERNEL int8_t stw_add_element_s8(const struct stw_add_s8_params *p, int8_t a, int8_t b) {
    const int32_t sum = p->offset + a * p->a_multiplier + b * p->b_multiplier;

    return stw_clamp_s8((sum >> p->shift) + p->output_zero_point, p->lowest, p->highest);
}

STW_BINARY_KERNEL(stw_add_s8, int8_t, stw_add_element_s8)

#endif /* STOWAGE_KERNELS_ADD_S8_H */
