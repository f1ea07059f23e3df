/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Between reals and the integers that stand for them, as ONNX's QuantizeLinear and DequantizeLinear, or
 * TensorFlow Lite's QUANTIZE, define it, with one scale and zero point for the tensor. `elements` is at least 1, scale is positive.
 *
 *   stw_quantise_f32_<type>    output = saturate(round_half_even(input / scale) + zero_point); a NaN counts
 *                              as an infinity of its sign
 *   stw_quantise_away_f32_<type>  the same, but halves are rounded away from zero
 *   stw_dequantise_<type>_f32  output = (input - zero_point) * scale
 *
 * Types: s8, u8, s16, u16 both ways; s32 only back, with |input - zero_point| below 2^31.
 *
 * In place, with integers of s bytes: quantising, and dequantising where s = 4, walk forward with a safe
 * distance of 0 bytes. Otherwise dequantising walks backward, and the output's end must lie (4 - s) *
 * (elements - 1) bytes above the input's end, or higher; both may start at the same byte.
 */
#ifndef STOWAGE_KERNELS_QUANTISE_H
#define STOWAGE_KERNELS_QUANTISE_H

#include <stdbool.h>
#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/math.h"

/* Saturating before rounding is the same as after: bounds are integers. It brings the quotient into range. */
STW_KERNEL int32_t stw_quantise_f32(float x, float scale, int32_t zero_point, int32_t lowest,
                                    int32_t highest) {
    const float least = (float)(lowest - zero_point);
    const float most = (float)(highest - zero_point);

    return stw_round_f32(stw_clamp_f32(x / scale, least, most)) + zero_point;
}

/* The same with halves away from zero. The part behind the point is exact. */
STW_KERNEL int32_t stw_quantise_away_f32(float x, float scale, int32_t zero_point, int32_t lowest,
                                         int32_t highest) {
    const float least = (float)(lowest - zero_point);
    const float most = (float)(highest - zero_point);
    const float steps = stw_clamp_f32(x / scale, least, most);
    const int32_t sign = stw_bits_f32(steps) >> 31;
    const float size = stw_size_f32(steps);
    const int32_t whole = (int32_t)size;
    const int32_t nearest = whole + (int32_t)(size - (float)whole >= 0.5f);

    return ((nearest ^ sign) - sign) + zero_point;
}

#define STW_QUANTISE_KERNEL(kernel, function, type, lowest, highest)                                         \
    struct kernel##_params {                                                                                 \
        int32_t elements;                                                                                    \
        float scale;                                                                                         \
        int32_t zero_point; /* in the type's range */                                                        \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void kernel(const struct kernel##_params *p, const float *input, type *output) {              \
        for (int32_t i = 0; i < p->elements; ++i) {                                                          \
            output[i] = (type)function(input[i], p->scale, p->zero_point, lowest, highest);                  \
        }                                                                                                    \
    }

STW_QUANTISE_KERNEL(stw_quantise_f32_s8, stw_quantise_f32, int8_t, INT8_MIN, INT8_MAX)
STW_QUANTISE_KERNEL(stw_quantise_f32_u8, stw_quantise_f32, uint8_t, 0, UINT8_MAX)
STW_QUANTISE_KERNEL(stw_quantise_f32_s16, stw_quantise_f32, int16_t, INT16_MIN, INT16_MAX)
STW_QUANTISE_KERNEL(stw_quantise_f32_u16, stw_quantise_f32, uint16_t, 0, UINT16_MAX)
STW_QUANTISE_KERNEL(stw_quantise_away_f32_s8, stw_quantise_away_f32, int8_t, INT8_MIN, INT8_MAX)
STW_QUANTISE_KERNEL(stw_quantise_away_f32_u8, stw_quantise_away_f32, uint8_t, 0, UINT8_MAX)
STW_QUANTISE_KERNEL(stw_quantise_away_f32_s16, stw_quantise_away_f32, int16_t, INT16_MIN, INT16_MAX)
STW_QUANTISE_KERNEL(stw_quantise_away_f32_u16, stw_quantise_away_f32, uint16_t, 0, UINT16_MAX)

#define STW_DEQUANTISE_KERNEL(suffix, type)                                                                  \
    struct stw_dequantise_##suffix##_f32_params {                                                            \
        int32_t elements;                                                                                    \
        float scale;                                                                                         \
        int32_t zero_point; /* in the type's range */                                                        \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void stw_dequantise_##suffix##_f32(const struct stw_dequantise_##suffix##_f32_params *p,      \
                                                  const type *input, float *output) {                        \
        const int32_t last = p->elements - 1;                                                                \
        const bool backward = sizeof(float) > sizeof(type);                                                  \
                                                                                                             \
        for (int32_t step = 0; step <= last; ++step) {                                                       \
            const int32_t i = backward ? last - step : step;                                                 \
            output[i] = (float)(input[i] - p->zero_point) * p->scale;                                        \
        }                                                                                                    \
    }

STW_DEQUANTISE_KERNEL(s8, int8_t)
STW_DEQUANTISE_KERNEL(u8, uint8_t)
STW_DEQUANTISE_KERNEL(s16, int16_t)
STW_DEQUANTISE_KERNEL(u16, uint16_t)
STW_DEQUANTISE_KERNEL(s32, int32_t)

#endif /* STOWAGE_KERNELS_QUANTISE_H */
