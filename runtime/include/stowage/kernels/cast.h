/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The same numbers in another element type, as ONNX's Cast: stw_cast_<from>_<to> over `elements` (at least 1)
 * numbers.
 *
 * From f32, s8, u8, s16, u16, s32, u32, s64, u64 to these and to b8 (a bool, one byte of 0 or 1; cast from
 * u8), and between f32 and f16 (16-bit floats as their bits, core/half.h).
 *
 *   integer to integer  modulo 2^bits
 *   integer to f32      nearest, ties to even
 *   f32 to integer      towards zero; beyond the range, which ONNX leaves open, the last float of the range
 *                       (a NaN counts as an infinity of its sign)
 *   any to b8           whether it differs from 0
 *
 * In place: where the output's elements are no larger than the input's, it walks forward with a safe distance
 * of 0 bytes. Where they are larger, by d bytes, it walks backward, and the output's end must lie d *
 * (elements - 1) bytes above the input's end, or higher; both may start at the same byte.
 */
#ifndef STOWAGE_KERNELS_CAST_H
#define STOWAGE_KERNELS_CAST_H

#include <stdbool.h>
#include <stdint.h>

#include "stowage/core/half.h"
#include "stowage/core/kernel.h"

#define STW_CAST_KERNEL(from, from_type, to, to_type, convert)                                               \
    struct stw_cast_##from##_##to##_params {                                                                 \
        int32_t elements;                                                                                    \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void stw_cast_##from##_##to(const struct stw_cast_##from##_##to##_params *p,                  \
                                           const from_type *input, to_type *output) {                        \
        const int32_t last = p->elements - 1;                                                                \
        const bool backward = sizeof(to_type) > sizeof(from_type);                                           \
                                                                                                             \
        for (int32_t step = 0; step <= last; ++step) {                                                       \
            const int32_t i = backward ? last - step : step;                                                 \
            output[i] = convert(to_type, input[i]);                                                          \
        }                                                                                                    \
    }

#define STW_CONVERTED(to_type, x) ((to_type)(x))
#define STW_TRUTH(to_type, x) ((to_type)((x) != 0))

#define STW_TRUNCATED_S8(to_type, x) ((to_type)stw_clamp_f32(x, -128.0f, 127.0f))
#define STW_TRUNCATED_U8(to_type, x) ((to_type)stw_clamp_f32(x, 0.0f, 255.0f))
#define STW_TRUNCATED_S16(to_type, x) ((to_type)stw_clamp_f32(x, -32768.0f, 32767.0f))
#define STW_TRUNCATED_U16(to_type, x) ((to_type)stw_clamp_f32(x, 0.0f, 65535.0f))
#define STW_TRUNCATED_S32(to_type, x) ((to_type)stw_clamp_f32(x, -0x1p31f, 0x1.fffffep30f))
#define STW_TRUNCATED_U32(to_type, x) ((to_type)stw_clamp_f32(x, 0.0f, 0x1.fffffep31f))
#define STW_TRUNCATED_S64(to_type, x) ((to_type)stw_clamp_f32(x, -0x1p63f, 0x1.fffffep62f))
#define STW_TRUNCATED_U64(to_type, x) ((to_type)stw_clamp_f32(x, 0.0f, 0x1.fffffep63f))

STW_CAST_KERNEL(f32, float, s8, int8_t, STW_TRUNCATED_S8)
STW_CAST_KERNEL(f32, float, u8, uint8_t, STW_TRUNCATED_U8)
STW_CAST_KERNEL(f32, float, s16, int16_t, STW_TRUNCATED_S16)
STW_CAST_KERNEL(f32, float, u16, uint16_t, STW_TRUNCATED_U16)
STW_CAST_KERNEL(f32, float, s32, int32_t, STW_TRUNCATED_S32)
STW_CAST_KERNEL(f32, float, u32, uint32_t, STW_TRUNCATED_U32)
STW_CAST_KERNEL(f32, float, s64, int64_t, STW_TRUNCATED_S64)
STW_CAST_KERNEL(f32, float, u64, uint64_t, STW_TRUNCATED_U64)
STW_CAST_KERNEL(f32, float, b8, uint8_t, STW_TRUTH)

#define STW_TO_HALF(to_type, x) ((to_type)stw_to_f16(x))
#define STW_FROM_HALF(to_type, x) ((to_type)stw_from_f16(x))

STW_CAST_KERNEL(f32, float, f16, uint16_t, STW_TO_HALF)
STW_CAST_KERNEL(f16, uint16_t, f32, float, STW_FROM_HALF)

/* From an integer type to all others (to itself too, which the compiler does not call). */
#define STW_CAST_KERNELS_FROM(from, from_type)                                                               \
    STW_CAST_KERNEL(from, from_type, f32, float, STW_CONVERTED)                                              \
    STW_CAST_KERNEL(from, from_type, s8, int8_t, STW_CONVERTED)                                              \
    STW_CAST_KERNEL(from, from_type, u8, uint8_t, STW_CONVERTED)                                             \
    STW_CAST_KERNEL(from, from_type, s16, int16_t, STW_CONVERTED)                                            \
    STW_CAST_KERNEL(from, from_type, u16, uint16_t, STW_CONVERTED)                                           \
    STW_CAST_KERNEL(from, from_type, s32, int32_t, STW_CONVERTED)                                            \
    STW_CAST_KERNEL(from, from_type, u32, uint32_t, STW_CONVERTED)                                           \
    STW_CAST_KERNEL(from, from_type, s64, int64_t, STW_CONVERTED)                                            \
    STW_CAST_KERNEL(from, from_type, u64, uint64_t, STW_CONVERTED)                                           \
    STW_CAST_KERNEL(from, from_type, b8, uint8_t, STW_TRUTH)

STW_CAST_KERNELS_FROM(s8, int8_t)
STW_CAST_KERNELS_FROM(u8, uint8_t)
STW_CAST_KERNELS_FROM(s16, int16_t)
STW_CAST_KERNELS_FROM(u16, uint16_t)
STW_CAST_KERNELS_FROM(s32, int32_t)
STW_CAST_KERNELS_FROM(u32, uint32_t)
STW_CAST_KERNELS_FROM(s64, int64_t)
STW_CAST_KERNELS_FROM(u64, uint64_t)

#endif /* STOWAGE_KERNELS_CAST_H */
