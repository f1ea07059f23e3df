/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Arithmetic of two plain integer tensors, broadcast (shapes, alignment and overlap: binary.h):
 * stw_integer_<verb>_<type> of s8 s16 s32 s64 u8 u16 u32 u64.
 *
 *   add sub mul               wrap around, as NumPy's do
 *   div                       towards zero; by zero it gives zero, as the cores' divide instructions do
 *   pow                       wraps around; a negative exponent gives 1 / x^n towards zero, and 0 of 0
 *   shift_left shift_right    what comes in is 0, or from the left the sign; a count that is negative, or no
 *                             smaller than the number of bits, leaves only what came in
 */
#ifndef STOWAGE_KERNELS_ARITHMETIC_INTEGER_H
#define STOWAGE_KERNELS_ARITHMETIC_INTEGER_H

#include "stowage/kernels/binary.h"

/* Defines stw_integer_<name>; `result` is made of x and y. */
#define STW_INTEGER_KERNEL(name, type, result)                                                               \
    struct stw_integer_##name##_params {                                                                     \
        STW_BINARY_SHAPE                                                                                     \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL type stw_integer_##name##_element(const struct stw_integer_##name##_params *p, type x,        \
                                                 type y) {                                                   \
        (void)p;                                                                                             \
        return (type)(result);                                                                               \
    }                                                                                                        \
                                                                                                             \
    STW_BINARY_KERNEL(stw_integer_##name, type, stw_integer_##name##_element)

#define STW_BITS(type) (8 * (int32_t)sizeof(type))

/* Whether a number is a count of bits that leaves some of them. */
#define STW_COUNTS(type, wide, y) ((wide)(y) < (wide)STW_BITS(type))

/* x^y for y that is not negative, a bit of y at a time; `wide` is unsigned and has at least 32 bits. */
#define STW_INTEGER_POWER(suffix, type, wide)                                                                \
    STW_KERNEL wide stw_power_##suffix(type x, type y) {                                                     \
        wide factor = (wide)x;                                                                               \
        wide product = 1;                                                                                    \
                                                                                                             \
        for (int32_t bit = 0; bit < STW_BITS(type); ++bit) {                                                 \
            const wide taken = (wide)0 - (((wide)y >> bit) & 1u);                                            \
                                                                                                             \
            product *= (factor & taken) | (1u & ~taken);                                                     \
            factor *= factor;                                                                                \
        }                                                                                                    \
        return product;                                                                                      \
    }

/* x to a negative power: that of 1 is 1, that of -1 is -1 or 1, all others are nearer to 0. */
#define STW_NEGATIVE_POWER(x, y) (((x) == 1) + ((x) == -1) * (1 - 2 * (int32_t)((y) & 1)))

/* `then` where a truth value is 1, `other` where it is 0. */
#define STW_CHOSEN(wide, truth, then, other)                                                                 \
    (((wide)(then) & ((wide)0 - (wide)(truth))) | ((wide)(other) & ((wide)(truth) - (wide)1)))

/* Division by -1 is a wrapping negation, since the lowest number has no opposite. */
#define STW_SIGNED_QUOTIENT(wide, x, y) ((y) == 0 ? 0 : (y) == -1 ? (wide)0 - (wide)(x) : (wide)((x) / (y)))
#define STW_UNSIGNED_QUOTIENT(x, y) ((y) == 0 ? 0 : (x) / (y))

#define STW_WRAPPING_KERNELS(suffix, type, wide)                                                             \
    STW_INTEGER_KERNEL(add_##suffix, type, (wide)x + (wide)y)                                                \
    STW_INTEGER_KERNEL(sub_##suffix, type, (wide)x - (wide)y)                                                \
    STW_INTEGER_KERNEL(mul_##suffix, type, (wide)x *(wide)y)                                                 \
    STW_INTEGER_KERNEL(                                                                                      \
        shift_left_##suffix, type,                                                                           \
        STW_CHOSEN(wide, STW_COUNTS(type, wide, y), (wide)x << (y & (STW_BITS(type) - 1)), 0))               \
    STW_INTEGER_POWER(suffix, type, wide)

#define STW_SIGNED_ARITHMETIC(suffix, type, wide)                                                            \
    STW_WRAPPING_KERNELS(suffix, type, wide)                                                                 \
    STW_INTEGER_KERNEL(div_##suffix, type, STW_SIGNED_QUOTIENT(wide, x, y))                                  \
    STW_INTEGER_KERNEL(shift_right_##suffix, type,                                                           \
                       x >> STW_CHOSEN(wide, STW_COUNTS(type, wide, y), y, STW_BITS(type) - 1))              \
    STW_INTEGER_KERNEL(pow_##suffix, type,                                                                   \
                       STW_CHOSEN(wide, y < 0, STW_NEGATIVE_POWER(x, y), stw_power_##suffix(x, y)))

#define STW_UNSIGNED_ARITHMETIC(suffix, type, wide)                                                          \
    STW_WRAPPING_KERNELS(suffix, type, wide)                                                                 \
    STW_INTEGER_KERNEL(div_##suffix, type, STW_UNSIGNED_QUOTIENT(x, y))                                      \
    STW_INTEGER_KERNEL(pow_##suffix, type, stw_power_##suffix(x, y))                                         \
    STW_INTEGER_KERNEL(                                                                                      \
        shift_right_##suffix, type,                                                                          \
        STW_CHOSEN(wide, STW_COUNTS(type, wide, y), (wide)x >> (y & (STW_BITS(type) - 1)), 0))

STW_SIGNED_ARITHMETIC(s8, int8_t, uint32_t)
STW_SIGNED_ARITHMETIC(s16, int16_t, uint32_t)
STW_SIGNED_ARITHMETIC(s32, int32_t, uint32_t)
STW_SIGNED_ARITHMETIC(s64, int64_t, uint64_t)
STW_UNSIGNED_ARITHMETIC(u8, uint8_t, uint32_t)
STW_UNSIGNED_ARITHMETIC(u16, uint16_t, uint32_t)
STW_UNSIGNED_ARITHMETIC(u32, uint32_t, uint32_t)
STW_UNSIGNED_ARITHMETIC(u64, uint64_t, uint64_t)

#endif /* STOWAGE_KERNELS_ARITHMETIC_INTEGER_H */
