/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Combinations of two tensors that fuse no activation, broadcast (shapes, alignment and overlap: binary.h):
 * stw_combine_<verb>_<type> of f32 s8 s16 s32 s64 u8 u16 u32 u64, where nothing else is said.
 *
 *   min max                      of floats where an operand is a NaN: the other one, or a NaN
 *   mod                          the sign of b; by zero 0 (floats: a NaN; else exact)
 *   mod_truncated                the sign of a, as C's % and fmod
 *   prelu                        a where a >= 0, else a b
 *   equal less less_or_equal     truth values, the bytes 0 and 1; equal of b8 too
 *   and or xor                   bit by bit, of words: b8 (truth values) u8 u16 u32 u64
 *   pow                          of f32 (error: core/logarithm.h)
 */
#ifndef STOWAGE_KERNELS_COMBINATION_H
#define STOWAGE_KERNELS_COMBINATION_H

#include "stowage/core/logarithm.h"
#include "stowage/core/remainder.h"
#include "stowage/kernels/binary.h"

/* Defines stw_combine_<name>; `result` is made of x and y. */
#define STW_COMBINATION_KERNEL(name, type, result_type, result)                                              \
    struct stw_combine_##name##_params {                                                                     \
        STW_BINARY_SHAPE                                                                                     \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL result_type stw_combine_##name##_element(const struct stw_combine_##name##_params *p, type x, \
                                                        type y) {                                            \
        (void)p;                                                                                             \
        (void)y;                                                                                             \
        return (result_type)(result);                                                                        \
    }                                                                                                        \
                                                                                                             \
    STW_COMBINING_KERNEL(stw_combine_##name, type, result_type, stw_combine_##name##_element)

#define STW_COMPARISON_KERNELS(suffix, type)                                                                 \
    STW_COMBINATION_KERNEL(equal_##suffix, type, uint8_t, x == y)                                            \
    STW_COMBINATION_KERNEL(less_##suffix, type, uint8_t, x < y)                                              \
    STW_COMBINATION_KERNEL(less_or_equal_##suffix, type, uint8_t, x <= y)

/* The rest of a division of a signed number; by -1 it is 0, also that of the lowest number. */
#define STW_SIGNED_REST(x, y) ((y) == 0 || (y) == -1 ? 0 : (x) % (y))
#define STW_UNSIGNED_REST(x, y) ((y) == 0 ? 0 : (x) % (y))

/* The same with the divisor's sign. */
#define STW_SIGNED_MODULO(x, y)                                                                              \
    (STW_SIGNED_REST(x, y) + (STW_SIGNED_REST(x, y) != 0 && (STW_SIGNED_REST(x, y) ^ (y)) < 0 ? (y) : 0))

#define STW_SIGNED_KERNELS(suffix, type, wide)                                                               \
    STW_COMPARISON_KERNELS(suffix, type)                                                                     \
    STW_COMBINATION_KERNEL(min_##suffix, type, type, x < y ? x : y)                                          \
    STW_COMBINATION_KERNEL(max_##suffix, type, type, x > y ? x : y)                                          \
    STW_COMBINATION_KERNEL(mod_##suffix, type, type, STW_SIGNED_MODULO(x, y))                                \
    STW_COMBINATION_KERNEL(mod_truncated_##suffix, type, type, STW_SIGNED_REST(x, y))                        \
    STW_COMBINATION_KERNEL(prelu_##suffix, type, type, x < 0 ? (wide)x * (wide)y : (wide)x)

#define STW_UNSIGNED_KERNELS(suffix, type)                                                                   \
    STW_COMPARISON_KERNELS(suffix, type)                                                                     \
    STW_COMBINATION_KERNEL(min_##suffix, type, type, x < y ? x : y)                                          \
    STW_COMBINATION_KERNEL(max_##suffix, type, type, x > y ? x : y)                                          \
    STW_COMBINATION_KERNEL(mod_##suffix, type, type, STW_UNSIGNED_REST(x, y))                                \
    STW_COMBINATION_KERNEL(mod_truncated_##suffix, type, type, STW_UNSIGNED_REST(x, y))                      \
    STW_COMBINATION_KERNEL(prelu_##suffix, type, type, x)

STW_SIGNED_KERNELS(s8, int8_t, uint32_t)
STW_SIGNED_KERNELS(s16, int16_t, uint32_t)
STW_SIGNED_KERNELS(s32, int32_t, uint32_t)
STW_SIGNED_KERNELS(s64, int64_t, uint64_t)
STW_UNSIGNED_KERNELS(u8, uint8_t)
STW_UNSIGNED_KERNELS(u16, uint16_t)
STW_UNSIGNED_KERNELS(u32, uint32_t)
STW_UNSIGNED_KERNELS(u64, uint64_t)

STW_COMPARISON_KERNELS(f32, float)
STW_COMBINATION_KERNEL(min_f32, float, float, stw_choose_f32(-(int32_t)(x < y), x, y))
STW_COMBINATION_KERNEL(max_f32, float, float, stw_choose_f32(-(int32_t)(x > y), x, y))
STW_COMBINATION_KERNEL(mod_f32, float, float, stw_mod_f32(x, y))
STW_COMBINATION_KERNEL(mod_truncated_f32, float, float, stw_fmod_f32(x, y))
STW_COMBINATION_KERNEL(prelu_f32, float, float, x *stw_by_sign_f32(x, y, 1.0f))
STW_COMBINATION_KERNEL(pow_f32, float, float, stw_pow_f32(x, y))

STW_COMBINATION_KERNEL(equal_b8, uint8_t, uint8_t, x == y)

#define STW_CONNECTIVE_KERNELS(suffix, type)                                                                 \
    STW_COMBINATION_KERNEL(and_##suffix, type, type, x &y)                                                   \
    STW_COMBINATION_KERNEL(or_##suffix, type, type, x | y)                                                   \
    STW_COMBINATION_KERNEL(xor_##suffix, type, type, x ^ y)

STW_CONNECTIVE_KERNELS(b8, uint8_t)
STW_CONNECTIVE_KERNELS(u8, uint8_t)
STW_CONNECTIVE_KERNELS(u16, uint16_t)
STW_CONNECTIVE_KERNELS(u32, uint32_t)
STW_CONNECTIVE_KERNELS(u64, uint64_t)

#endif /* STOWAGE_KERNELS_COMBINATION_H */
