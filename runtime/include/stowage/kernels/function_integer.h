/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of one plain integer or truth value, element by element: stw_apply_<function>_<type>.
 *
 *   neg abs sign                  of s8 s16 s32 s64; abs and sign of u8 u16 u32 u64; negation wraps around
 *   relu                          of s8 s16 s32 s64: the larger of x and 0
 *   not                           of b8, truth values, which are the bytes 0 and 1; of the bits of u8 u16 u32 u64
 *   is_nan_f32 is_inf_f32         truth values of floats
 *
 * Input and output have `elements` (at least 1) each. In place: walks forward and reads an element before it
 * writes it; no output element is larger than an input's, and the safe distance is 0 bytes.
 */
#ifndef STOWAGE_KERNELS_FUNCTION_INTEGER_H
#define STOWAGE_KERNELS_FUNCTION_INTEGER_H

#include <stdint.h>

#include "stowage/core/kernel.h"

#define STW_FUNCTION_KERNEL(name, type, result_type, fields, result)                                         \
    struct stw_apply_##name##_params {                                                                       \
        int32_t elements;                                                                                    \
        fields                                                                                               \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void stw_apply_##name(const struct stw_apply_##name##_params *p, const type *input,           \
                                     result_type *output) {                                                  \
        for (int32_t i = 0; i < p->elements; ++i) {                                                          \
            const type x = input[i];                                                                         \
                                                                                                             \
            output[i] = (result_type)(result);                                                               \
        }                                                                                                    \
    }

#define STW_FUNCTIONS_OF_UNSIGNED(suffix, type)                                                              \
    STW_FUNCTION_KERNEL(abs_##suffix, type, type, , x)                                                       \
    STW_FUNCTION_KERNEL(sign_##suffix, type, type, , x > 0)

/* `wide` is unsigned, so that the opposite of the lowest number wraps around. */
#define STW_FUNCTIONS_OF_SIGNED(suffix, type, wide)                                                          \
    STW_FUNCTION_KERNEL(neg_##suffix, type, type, , (wide)0 - (wide)x)                                       \
    STW_FUNCTION_KERNEL(abs_##suffix, type, type, , x < 0 ? (wide)0 - (wide)x : (wide)x)                     \
    STW_FUNCTION_KERNEL(sign_##suffix, type, type, , (x > 0) - (x < 0))                                      \
    STW_FUNCTION_KERNEL(relu_##suffix, type, type, , x > 0 ? x : 0)

STW_FUNCTIONS_OF_SIGNED(s8, int8_t, uint32_t)
STW_FUNCTIONS_OF_SIGNED(s16, int16_t, uint32_t)
STW_FUNCTIONS_OF_SIGNED(s32, int32_t, uint32_t)
STW_FUNCTIONS_OF_SIGNED(s64, int64_t, uint64_t)
STW_FUNCTIONS_OF_UNSIGNED(u8, uint8_t)
STW_FUNCTIONS_OF_UNSIGNED(u16, uint16_t)
STW_FUNCTIONS_OF_UNSIGNED(u32, uint32_t)
STW_FUNCTIONS_OF_UNSIGNED(u64, uint64_t)

/* The bits of a float without its sign: those of infinity, or above for a NaN. */
#define STW_UNSIGNED_BITS(x) (stw_bits_f32(x) & INT32_MAX)

STW_FUNCTION_KERNEL(not_b8, uint8_t, uint8_t, , x ^ 1)
STW_FUNCTION_KERNEL(not_u8, uint8_t, uint8_t, , ~x)
STW_FUNCTION_KERNEL(not_u16, uint16_t, uint16_t, , ~x)
STW_FUNCTION_KERNEL(not_u32, uint32_t, uint32_t, , ~x)
STW_FUNCTION_KERNEL(not_u64, uint64_t, uint64_t, , ~x)
STW_FUNCTION_KERNEL(is_nan_f32, float, uint8_t, , STW_UNSIGNED_BITS(x) > 0x7F800000)
STW_FUNCTION_KERNEL(is_inf_f32, float, uint8_t, int32_t positive; int32_t negative;
                    , (p->positive & (stw_bits_f32(x) == 0x7F800000)) | (p->negative & (x == -STW_INFINITY)))

#endif /* STOWAGE_KERNELS_FUNCTION_INTEGER_H */
