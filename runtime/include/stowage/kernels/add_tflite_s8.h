/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sum or difference of two int8 tensors of different scales as TensorFlow Lite's reference kernel rounds it,
 * broadcast (shapes, alignment and overlap: binary.h). stowage/ir/tflite/sum.py is the definition.
 *
 *     x      = ((a - a_zero_point) << 20) * a_multiplier      the same of b
 *     output = clamp(output_zero_point + (x ± y) * multiplier)
 *
 * Every product is rounded twice (core/requantise.h, STW_ROUNDING_DOUBLE); its real multiplier is at most one, that of an
 * operand at most 1/2. `right` is its shift less 31.
 */
#ifndef STOWAGE_KERNELS_ADD_TFLITE_S8_H
#define STOWAGE_KERNELS_ADD_TFLITE_S8_H

#include "stowage/core/requantise.h"
#include "stowage/kernels/binary.h"

#define STW_SUM_LEFT_SHIFT 20

#define STW_ADD_TFLITE_FIELDS                                                                                \
    STW_BINARY_SHAPE                                                                                         \
    int32_t a_zero_point;                                                                                    \
    int32_t b_zero_point;                                                                                    \
    int32_t a_multiplier;                                                                                    \
    int32_t a_right;                                                                                         \
    int32_t b_multiplier;                                                                                    \
    int32_t b_right;                                                                                         \
    int32_t multiplier;                                                                                      \
    int32_t right;                                                                                           \
    int32_t output_zero_point;                                                                               \
    int32_t lowest; /* of the output, -128 <= lowest <= highest <= 127 */                                    \
    int32_t highest;

struct stw_add_tflite_s8_params {
    STW_ADD_TFLITE_FIELDS
};

struct stw_sub_tflite_s8_params {
    STW_ADD_TFLITE_FIELDS
};

STW_KERNEL int32_t stw_summand_s8(int32_t centred, int32_t multiplier, int32_t right) {
    return stw_requantise_double_right(centred * ((int32_t)1 << STW_SUM_LEFT_SHIFT), multiplier, right);
}

STW_KERNEL int8_t stw_add_tflite_element_s8(const struct stw_add_tflite_s8_params *p, int8_t a, int8_t b) {
    const int32_t x = stw_summand_s8(a - p->a_zero_point, p->a_multiplier, p->a_right);
    const int32_t y = stw_summand_s8(b - p->b_zero_point, p->b_multiplier, p->b_right);
    const int32_t sum = stw_requantise_double_right(x + y, p->multiplier, p->right);

    return stw_clamp_s8(sum + p->output_zero_point, p->lowest, p->highest);
}

STW_KERNEL int8_t stw_sub_tflite_element_s8(const struct stw_sub_tflite_s8_params *p, int8_t a, int8_t b) {
    const int32_t x = stw_summand_s8(a - p->a_zero_point, p->a_multiplier, p->a_right);
    const int32_t y = stw_summand_s8(b - p->b_zero_point, p->b_multiplier, p->b_right);
    const int32_t difference = stw_requantise_double_right(x - y, p->multiplier, p->right);

    return stw_clamp_s8(difference + p->output_zero_point, p->lowest, p->highest);
}

STW_BINARY_KERNEL(stw_add_tflite_s8, int8_t, stw_add_tflite_element_s8)
STW_BINARY_KERNEL(stw_sub_tflite_s8, int8_t, stw_sub_tflite_element_s8)

#endif /* STOWAGE_KERNELS_ADD_TFLITE_S8_H */
