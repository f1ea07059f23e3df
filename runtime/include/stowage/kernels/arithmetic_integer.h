/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sum, difference, product and quotient of two plain integer tensors, broadcast (shapes, alignment and
 * overlap: binary.h).
 *
 * Results wrap around, as NumPy's do. Division is towards zero; by zero it gives zero, as the cores' divide
 * instructions do.
 */
#ifndef STOWAGE_KERNELS_ARITHMETIC_INTEGER_H
#define STOWAGE_KERNELS_ARITHMETIC_INTEGER_H

#include "stowage/kernels/binary.h"

#define STW_ARITHMETIC_KERNEL_INTEGER(kernel, type, result)                                                  \
    struct kernel##_params {                                                                                 \
        STW_BINARY_SHAPE                                                                                     \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL type kernel##_element(const struct kernel##_params *p, type x, type y) {                      \
        (void)p;                                                                                             \
        return result;                                                                                       \
    }                                                                                                        \
                                                                                                             \
    STW_BINARY_KERNEL(kernel, type, kernel##_element)

/* Division by -1 is a wrapping negation, since the lowest number has no opposite. */
#define STW_QUOTIENT(type, utype, x, y) ((y) == 0 ? 0 : (y) == -1 ? (type)(0u - (utype)(x)) : (x) / (y))

STW_ARITHMETIC_KERNEL_INTEGER(stw_add_s32, int32_t, (int32_t)((uint32_t)x + (uint32_t)y))
STW_ARITHMETIC_KERNEL_INTEGER(stw_sub_s32, int32_t, (int32_t)((uint32_t)x - (uint32_t)y))
STW_ARITHMETIC_KERNEL_INTEGER(stw_mul_s32, int32_t, (int32_t)((uint32_t)x * (uint32_t)y))
STW_ARITHMETIC_KERNEL_INTEGER(stw_div_s32, int32_t, STW_QUOTIENT(int32_t, uint32_t, x, y))
STW_ARITHMETIC_KERNEL_INTEGER(stw_add_s64, int64_t, (int64_t)((uint64_t)x + (uint64_t)y))
STW_ARITHMETIC_KERNEL_INTEGER(stw_sub_s64, int64_t, (int64_t)((uint64_t)x - (uint64_t)y))
STW_ARITHMETIC_KERNEL_INTEGER(stw_mul_s64, int64_t, (int64_t)((uint64_t)x * (uint64_t)y))
STW_ARITHMETIC_KERNEL_INTEGER(stw_div_s64, int64_t, STW_QUOTIENT(int64_t, uint64_t, x, y))

#endif /* STOWAGE_KERNELS_ARITHMETIC_INTEGER_H */
