/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sum, difference, product and quotient of two float tensors, broadcast (shapes, alignment and overlap:
 * binary.h), clamped to [lowest, highest], which are infinities where no activation is fused. IEEE 754 in
 * every element: x / 0 is an infinity.
 */
#ifndef STOWAGE_KERNELS_ARITHMETIC_F32_H
#define STOWAGE_KERNELS_ARITHMETIC_F32_H

#include "stowage/kernels/binary.h"

#define STW_ARITHMETIC_KERNEL_F32(verb, operator)                                                            \
    struct stw_##verb##_f32_params {                                                                         \
        STW_BINARY_SHAPE                                                                                     \
        float lowest;                                                                                        \
        float highest;                                                                                       \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL float stw_##verb##_element_f32(const struct stw_##verb##_f32_params *p, float x, float y) {   \
        return stw_clamp_f32(x operator y, p->lowest, p->highest);                                           \
    }                                                                                                        \
                                                                                                             \
    STW_BINARY_KERNEL(stw_##verb##_f32, float, stw_##verb##_element_f32)

STW_ARITHMETIC_KERNEL_F32(add, +)
STW_ARITHMETIC_KERNEL_F32(sub, -)
STW_ARITHMETIC_KERNEL_F32(mul, *)
STW_ARITHMETIC_KERNEL_F32(div, /)

#endif /* STOWAGE_KERNELS_ARITHMETIC_F32_H */
