/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sum of two int8 or two int16 tensors of different scales as TensorFlow Lite's reference kernel rounds it, broadcast
 * (shapes, alignment and overlap: binary.h). stowage/ir/tflite/sum.py is the definition.
 *
 *     x      = ((a - a_zero_point) << shift) * a_multiplier      the same of b; shift is 20, of int16 15
 *     output = clamp(output_zero_point + (x + y) * multiplier)
 *
 * Every product is rounded twice (core/requantise.h, STW_ROUNDING_DOUBLE); its real multiplier is at most one, that of an
 * operand at most 1/2. `right` is its shift less 31. For a difference b_multiplier is negative.
 */
#ifndef STOWAGE_KERNELS_ADD_TFLITE_H
#define STOWAGE_KERNELS_ADD_TFLITE_H

#include "stowage/core/requantise.h"
#include "stowage/kernels/binary.h"

STW_KERNEL int32_t stw_summand(int32_t centred, int32_t shift, int32_t multiplier, int32_t right) {
    return stw_requantise_double_right(centred * ((int32_t)1 << shift), multiplier, right);
}

#define STW_ADD_TFLITE_KERNEL(suffix, type, shift, clamp)                                                    \
    struct stw_add_tflite_##suffix##_params {                                                                \
        STW_BINARY_SHAPE                                                                                     \
        int32_t a_zero_point; /* of an int16 tensor 0 */                                                     \
        int32_t b_zero_point;                                                                                \
        int32_t a_multiplier;                                                                                \
        int32_t a_right;                                                                                     \
        int32_t b_multiplier;                                                                                \
        int32_t b_right;                                                                                     \
        int32_t multiplier;                                                                                  \
        int32_t right;                                                                                       \
        int32_t output_zero_point;                                                                           \
        int32_t lowest; /* of the output, within the type */                                                 \
        int32_t highest;                                                                                     \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL type stw_add_tflite_element_##suffix(const struct stw_add_tflite_##suffix##_params *p,        \
                                                    type a, type b) {                                        \
        const int32_t x = stw_summand(a - p->a_zero_point, shift, p->a_multiplier, p->a_right);              \
        const int32_t y = stw_summand(b - p->b_zero_point, shift, p->b_multiplier, p->b_right);              \
        const int32_t sum = stw_requantise_double_right(x + y, p->multiplier, p->right);                     \
                                                                                                             \
        return (type)clamp(sum + p->output_zero_point, p->lowest, p->highest);                               \
    }                                                                                                        \
                                                                                                             \
    STW_BINARY_KERNEL(stw_add_tflite_##suffix, type, stw_add_tflite_element_##suffix)

STW_ADD_TFLITE_KERNEL(s8, int8_t, 20, stw_clamp_s8)
STW_ADD_TFLITE_KERNEL(s16, int16_t, 15, stw_clamp)

#endif /* STOWAGE_KERNELS_ADD_TFLITE_H */
