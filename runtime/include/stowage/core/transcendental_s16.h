/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logistic function and tanh of 16-bit fixed-point numbers, after gemmlowp: the same bits everywhere.
 * stowage/ir/tflite/transcendental.py is the definition. No branches on data.
 *
 * A number with i integer bits stands for raw * 2^(i - 15); results have no integer bits. Numbers are held in int32. Sums and
 * differences stay within 16 bits, but for the few that are clamped.
 */
#ifndef STOWAGE_CORE_TRANSCENDENTAL_S16_H
#define STOWAGE_CORE_TRANSCENDENTAL_S16_H

#include <stdint.h>

#include "stowage/core/fixed_point.h"
#include "stowage/core/kernel.h"

#define STW_ONE_S16 32767

STW_KERNEL int32_t stw_clamp_s16(int32_t value) {
    return stw_clamp(value, INT16_MIN, INT16_MAX);
}

/* a * b * 2^-15 to the nearest, halves upwards. Not both may be -2^15. */
STW_KERNEL int32_t stw_product_s16(int32_t a, int32_t b) {
    return (a * b + (1 << 14)) >> 15;
}

/* then where the mask is -1, other where it is 0. */
STW_KERNEL int32_t stw_select_s32(int32_t mask, int32_t then, int32_t other) {
    return (then & mask) | (other & ~mask);
}

/* -1 where a number is not 0. */
STW_KERNEL int32_t stw_mask_any(int32_t number) {
    return (int32_t)((uint32_t)number | (0u - (uint32_t)number)) >> 31;
}

/* exp(a) for -1/4 <= a < 0, without integer bits: the expansion around -1/8. */
STW_KERNEL int32_t stw_exp_of_quarter_s16(int32_t a) {
    const int32_t around = 28918;
    const int32_t third = 10923;
    const int32_t x = a + (1 << 12);
    const int32_t square = stw_product_s16(x, x);
    const int32_t cube = stw_product_s16(square, x);
    const int32_t fourth = stw_fixed_divide(stw_product_s16(square, square), 2);
    const int32_t rest = stw_fixed_divide(stw_product_s16(fourth + cube, third) + square, 1);

    return stw_clamp_s16(around + stw_product_s16(x + rest, around));
}

/* exp(a) for a <= 0 with the constant number of integer bits, from 0 to 7. */
STW_SHARED int32_t stw_exp_of_negative_s16(int32_t a, int32_t integer_bits) {
    static const int16_t factors[7] = {25520, 19875, 12055, 4435, 600, 11, 0};
    const int32_t fraction_bits = 15 - integer_bits;
    const int32_t quarter = (int32_t)1 << (fraction_bits - 2);
    const int32_t within = (a & (quarter - 1)) - quarter;
    const int32_t remainder = within - a;
    int32_t result = stw_exp_of_quarter_s16(within * ((int32_t)1 << integer_bits));

    for (int32_t i = 0; i < 7 && i - 2 < integer_bits; ++i) {
        const int32_t chosen = -((remainder >> (fraction_bits + i - 2)) & 1);

        result = stw_select_s32(chosen, stw_product_s16(result, factors[i]), result);
    }
    if (integer_bits > 5) {
        result &= ~((a + ((int32_t)1 << (fraction_bits + 5))) >> 31);
    }
    return stw_select_s32(stw_mask_any(a), result, STW_ONE_S16);
}

/* 2 / (1 + a) for 0 <= a <= 1, with two integer bits: three steps of Newton's method. */
STW_KERNEL int32_t stw_reciprocal_of_half_sum_s16(int32_t a) {
    const int32_t half = (a + STW_ONE_S16 + 1) >> 1;
    int32_t x = 23130 + stw_product_s16(half, -15420);

    for (int32_t step = 0; step < 3; ++step) {
        const int32_t error = (1 << 13) - stw_product_s16(half, x);

        x += stw_clamp_s16(4 * stw_product_s16(x, error));
    }
    return x;
}

/* 1 / (1 + exp(-a)). */
STW_SHARED int32_t stw_logistic_s16(int32_t a, int32_t integer_bits) {
    const int32_t sign = a >> 31;
    const int32_t size = (a ^ sign) - sign;
    const int32_t power = stw_exp_of_negative_s16(-size, integer_bits);
    const int32_t positive = stw_clamp_s16(2 * stw_reciprocal_of_half_sum_s16(power));
    const int32_t result = stw_select_s32(sign, STW_ONE_S16 - positive, positive);

    return stw_select_s32(stw_mask_any(a), result, 1 << 14);
}

/* Hyperbolic tangent. */
STW_SHARED int32_t stw_tanh_s16(int32_t a, int32_t integer_bits) {
    const int32_t sign = a >> 31;
    const int32_t size = (a ^ sign) - sign;
    const int32_t power = stw_exp_of_negative_s16(-size, integer_bits + 1);
    const int32_t result = stw_clamp_s16(4 * (stw_reciprocal_of_half_sum_s16(power) - (1 << 13)));

    return ((result ^ sign) - sign) & stw_mask_any(a);
}

#endif
