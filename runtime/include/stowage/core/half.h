/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers of 16 bits (IEEE 754 binary16) as the integers that hold their bits, for compilers and cores that know
 * no such type. They are stored and moved; arithmetic is binary32's.
 *
 *   stw_from_f16   exact, subnormals and infinities too; a NaN keeps its payload
 *   stw_to_f16     rounded to nearest, halves to even; an infinity from 65520 on; a NaN becomes a quiet one
 *
 * No branches on data.
 */
#ifndef STOWAGE_CORE_HALF_H
#define STOWAGE_CORE_HALF_H

#include <stdint.h>

#include "stowage/core/kernel.h"

/* The bits of 2^16 as a float, the first power that is an infinity in 16 bits, and of 2^-14, the smallest normal. */
#define STW_F16_OVERFLOW 0x47800000
#define STW_F16_NORMAL 0x38800000

/* Multiplied by 2^112 the exponent has binary32's bias, and what is subnormal in 16 bits becomes normal. */
STW_KERNEL float stw_from_f16(uint16_t half) {
    const int32_t shifted = (int32_t)(half & 0x7FFFu) << 13;
    const int32_t finite = stw_bits_f32(stw_from_bits_f32(shifted) * 0x1p112f);
    const int32_t special = -(int32_t)(shifted >= 0x0F800000);
    const int32_t sign = (half >> 15) * INT32_MIN;

    return stw_from_bits_f32(((finite & ~special) | ((shifted | 0x7F800000) & special)) | sign);
}

/* Of three results, each right in its range, one is chosen: the sum with 1/2 rounds to steps of 2^-24. */
STW_KERNEL uint16_t stw_to_f16(float value) {
    const int32_t bits = stw_bits_f32(value);
    const int32_t size = bits & INT32_MAX;
    const int32_t normal = (size - (112 << 23) + 0xFFF + ((size >> 13) & 1)) >> 13;
    const int32_t subnormal = stw_bits_f32(stw_from_bits_f32(size) + 0.5f) - stw_bits_f32(0.5f);
    const int32_t quiet = -(int32_t)(size > 0x7F800000) & (0x200 | ((size >> 13) & 0x3FF));
    const int32_t tiny = -(int32_t)(size < STW_F16_NORMAL);
    const int32_t huge = -(int32_t)(size >= STW_F16_OVERFLOW);
    const int32_t finite = (subnormal & tiny) | (normal & ~tiny);

    return (uint16_t)(((finite & ~huge) | ((0x7C00 | quiet) & huge)) | ((bits >> 16) & 0x8000));
}

#endif /* STOWAGE_CORE_HALF_H */
