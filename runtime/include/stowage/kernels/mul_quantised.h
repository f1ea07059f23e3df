/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Product of two int8 or two int16 tensors, broadcast (shapes, alignment and overlap: binary.h).
 *
 *     output = clamp(output_zero_point + requantise((a - a_zero_point) * (b - b_zero_point)))
 *
 * The requantisation's real multiplier is a_scale * b_scale / output_scale. A product is at most 255^2 in
 * magnitude, of int16 tensors, which have no zero points and are rounded twice, 2^30.
 */
#ifndef STOWAGE_KERNELS_MUL_QUANTISED_H
#define STOWAGE_KERNELS_MUL_QUANTISED_H

#include "stowage/core/requantise.h"
#include "stowage/kernels/binary.h"

#define STW_MUL_FIELDS                                                                                       \
    STW_BINARY_SHAPE                                                                                         \
    int32_t a_zero_point;                                                                                    \
    int32_t b_zero_point;                                                                                    \
    int32_t multiplier; /* as requantise.h says */                                                           \
    int32_t shift;                                                                                           \
    int32_t rounding;                                                                                        \
    int32_t output_zero_point;                                                                               \
    int32_t lowest; /* of the output, within the type */                                                     \
    int32_t highest;

struct stw_mul_s8_params {
    STW_MUL_FIELDS
};

struct stw_mul_s16_params {
    STW_MUL_FIELDS
};

STW_KERNEL int8_t stw_mul_element_s8(const struct stw_mul_s8_params *p, int8_t a, int8_t b) {
    const int32_t product = (a - p->a_zero_point) * (b - p->b_zero_point);
    const int32_t scaled = stw_requantise(product, p->multiplier, p->shift, p->rounding);

    return stw_clamp_s8(scaled + p->output_zero_point, p->lowest, p->highest);
}

STW_KERNEL int16_t stw_mul_element_s16(const struct stw_mul_s16_params *p, int16_t a, int16_t b) {
    const int32_t scaled = stw_requantise(a * b, p->multiplier, p->shift, p->rounding);

    return (int16_t)stw_clamp(scaled, p->lowest, p->highest);
}

STW_BINARY_KERNEL(stw_mul_s8, int8_t, stw_mul_element_s8)
STW_BINARY_KERNEL(stw_mul_s16, int16_t, stw_mul_element_s16)

#endif /* STOWAGE_KERNELS_MUL_QUANTISED_H */
