/* SPDX-License-Identifier: Apache-2.0 */
/*
 * int8 numbers, each times its slope where it is negative, as TensorFlow Lite's reference kernel rounds them, broadcast (shapes,
 * alignment and overlap: binary.h). No branches on data.
 *
 *     x      = a - a_zero_point
 *     output = clamp(output_zero_point + (x >= 0 ? x * kept : x * (b - b_zero_point) * sloped))
 *
 * Both multipliers round twice (core/requantise.h, STW_ROUNDING_DOUBLE).
 */
#ifndef STOWAGE_KERNELS_PRELU_S8_H
#define STOWAGE_KERNELS_PRELU_S8_H

#include "stowage/core/requantise.h"
#include "stowage/kernels/binary.h"

struct stw_prelu_tflite_s8_params {
    STW_BINARY_SHAPE
    int32_t a_zero_point;
    int32_t b_zero_point;
    int32_t kept_multiplier;
    int32_t kept_shift;
    int32_t sloped_multiplier;
    int32_t sloped_shift;
    int32_t output_zero_point;
};

STW_KERNEL int8_t stw_prelu_tflite_element_s8(const struct stw_prelu_tflite_s8_params *p, int8_t a,
                                              int8_t b) {
    const int32_t x = a - p->a_zero_point;
    const int32_t kept = stw_requantise_double(x, p->kept_multiplier, p->kept_shift);
    const int32_t sloped =
        stw_requantise_double(x * (b - p->b_zero_point), p->sloped_multiplier, p->sloped_shift);
    const int32_t negative = x >> 31;
    const int32_t chosen = (sloped & negative) | (kept & ~negative);

    return stw_clamp_s8(chosen + p->output_zero_point, INT8_MIN, INT8_MAX);
}

STW_BINARY_KERNEL(stw_prelu_tflite_s8, int8_t, stw_prelu_tflite_element_s8)

#endif /* STOWAGE_KERNELS_PRELU_S8_H */
