/* SPDX-License-Identifier: Apache-2.0 */
/*
 * TensorFlow Lite's arithmetic on 32-bit fixed-point numbers: products that keep the high word, divisions by powers of
 * two, a reciprocal. stowage/ir/tflite/fixed_point.py and transcendental.py are the definition. No branches on data.
 *
 * A number with i integer bits stands for raw * 2^(i - 31); a product has the integer bits of both factors.
 */
#ifndef STOWAGE_CORE_FIXED_POINT_H
#define STOWAGE_CORE_FIXED_POINT_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/multiply.h"

/* a * b * 2^-31 to the nearest, halves upwards. Not both may be -2^31. */
STW_KERNEL int32_t stw_fixed_product(int32_t a, int32_t b) {
    return (int32_t)((stw_multiply(a, b) + ((int64_t)1 << 30)) >> 31);
}

/* x * 2^-exponent to the nearest, halves away from zero, for exponents from 0 to 31. */
STW_KERNEL int32_t stw_fixed_divide(int32_t x, int32_t exponent) {
    const int32_t mask = (int32_t)(((uint32_t)1 << exponent) - 1u);
    const int32_t threshold = (mask >> 1) - (x >> 31);

    return (x >> exponent) + (int32_t)((uint32_t)(threshold - (x & mask)) >> 31);
}

/* The number of zero bits above the highest one of a number that is not 0. */
STW_KERNEL int32_t stw_leading_zeros(uint32_t number) {
    int32_t zeros = 31;

    for (int32_t step = 16; step > 0; step >>= 1) {
        const uint32_t high = number >> step;
        const uint32_t any = 0u - (uint32_t)((high | (0u - high)) >> 31);

        zeros -= step & (int32_t)any;
        number = (high & any) | (number & ~any);
    }
    return zeros;
}

#define STW_48_OVER_17 1515870810
#define STW_NEGATIVE_32_OVER_17 (-1010580540)

/* 1 / (2 * half) without integer bits, for a half from 1/2 to 1 without integer bits: three steps of Newton's method. */
STW_KERNEL int32_t stw_fixed_reciprocal(int32_t half) {
    const int32_t one = (int32_t)1 << 30;
    int32_t x = STW_48_OVER_17 + stw_fixed_product(half, STW_NEGATIVE_32_OVER_17);

    for (int32_t step = 0; step < 3; ++step) {
        x += 4 * stw_fixed_product(x, ((int32_t)1 << 29) - stw_fixed_product(half, x));
    }
    return (int32_t)(((uint32_t)stw_minimum(x, one) << 1) - ((uint32_t)x >> 30));
}

#endif
