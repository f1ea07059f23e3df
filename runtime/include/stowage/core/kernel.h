/* SPDX-License-Identifier: Apache-2.0 */
/*
 * What every kernel header is written in.
 *
 * A kernel is a template: its parameters are a `static const struct`, so that the C compiler folds every extent, stride
 * and bound, and nothing is decided at run time. It is C99 for compilers that shift negative numbers arithmetically
 * and wrap on narrowing conversion, as GCC and Clang do; both are checked below.
 *
 * Said once, for all kernels:
 *   - Extents and strides are counted in elements, and arrays are row-major in the axis order that the contract names.
 *   - The caller owns all memory; a kernel keeps nothing between calls, allocates nothing and never recurses.
 *   - Pointers need the natural alignment of their element type and no more, unless the contract says so.
 *   - Inputs and output must not share bytes, unless the contract gives a safe distance.
 *   - Which instructions run depends on the parameters, never on the data.
 */
#ifndef STOWAGE_CORE_KERNEL_H
#define STOWAGE_CORE_KERNEL_H

#include <stdint.h>

/* A function that exists only where it is called. */
#define STW_KERNEL static inline __attribute__((always_inline))

/* A function of which an image has one copy however often it is called: inner loops, which gain nothing from constants. */
#define STW_SHARED static __attribute__((noinline, unused))

/* Asks for a loop to be unrolled N times, so that its constant indices turn into registers and immediate offsets. */
#define STW_PRAGMA(text) _Pragma(#text)
#if defined(__clang__)
#define STW_UNROLL(n) STW_PRAGMA(unroll n)
#else
#define STW_UNROLL(n) STW_PRAGMA(GCC unroll n)
#endif

typedef char stw_shifts_are_arithmetic[(-3 >> 1) == -2 ? 1 : -1];
typedef char stw_conversions_wrap[(int32_t)0xFFFFFFFFu == -1 ? 1 : -1];

/* The smaller and the larger of two numbers whose difference fits 32 bits, without a comparison. */
STW_KERNEL int32_t stw_smaller_near(int32_t a, int32_t b) {
    return b + ((a - b) & ((a - b) >> 31));
}

STW_KERNEL int32_t stw_larger_near(int32_t a, int32_t b) {
    return a - ((a - b) & ((a - b) >> 31));
}

/*
 * The same as the core does it best. Cores with conditional instructions get them from the ternary; Thumb-1 has
 * branches alone, which would make the instruction count depend on the data.
 */
#if defined(__thumb__) && !defined(__thumb2__)
STW_KERNEL int32_t stw_minimum(int32_t a, int32_t b) {
    return stw_smaller_near(a, b);
}

STW_KERNEL int32_t stw_maximum(int32_t a, int32_t b) {
    return stw_larger_near(a, b);
}
#else
STW_KERNEL int32_t stw_minimum(int32_t a, int32_t b) {
    return a < b ? a : b;
}

STW_KERNEL int32_t stw_maximum(int32_t a, int32_t b) {
    return a > b ? a : b;
}
#endif

/* The step-th of `extent` places, of which a walk takes the last first (backward, a constant) or the first. */
STW_KERNEL int32_t stw_place(int32_t step, int32_t extent, int32_t backward) {
    return backward ? extent - 1 - step : step;
}

/* How far a walk's writing moves down before `count` elements, and up behind them. */
STW_KERNEL int32_t stw_down(int32_t count, int32_t backward) {
    return backward ? count : 0;
}

STW_KERNEL int32_t stw_up(int32_t count, int32_t backward) {
    return backward ? 0 : count;
}

/* value, or the bound that it is beyond. */
STW_KERNEL int32_t stw_clamp(int32_t value, int32_t lowest, int32_t highest) {
    return stw_minimum(stw_maximum(value, lowest), highest);
}

/* The same into int8 with constant bounds; the type's own bounds take one instruction on cores that have it. */
STW_KERNEL int8_t stw_clamp_s8(int32_t value, int32_t lowest, int32_t highest) {
#if defined(__ARM_FEATURE_SAT)
    if (lowest == INT8_MIN && highest == INT8_MAX) {
        int32_t saturated;

        __asm__("ssat %0, #8, %1" : "=r"(saturated) : "r"(value));
        return (int8_t)saturated;
    }
#endif
    return (int8_t)stw_clamp(value, lowest, highest);
}

#define STW_INFINITY __builtin_inff()

/* The 32 bits of a float, and back. Not by memcpy, which is a call where the library is freestanding. */
union stw_float_bits {
    float value;
    int32_t bits;
};

STW_KERNEL int32_t stw_bits_f32(float value) {
    const union stw_float_bits same = {.value = value};

    return same.bits;
}

STW_KERNEL float stw_from_bits_f32(int32_t bits) {
    const union stw_float_bits same = {.bits = bits};

    return same.value;
}

/* Turns the bits of floats into integers that are in the floats' order (-0 just below 0), and those back into bits. */
STW_KERNEL int32_t stw_ordered_bits(int32_t bits) {
    return bits ^ (int32_t)((uint32_t)(bits >> 31) >> 1);
}

/* The place of a float in the order of all; adding 0 makes -0 into 0. */
STW_KERNEL int32_t stw_rank_f32(float x) {
    return stw_ordered_bits(stw_bits_f32(x + 0.0f));
}

/* -1 where a < b, else 0, whatever the two are (Warren, "Hacker's Delight", 2-12). */
STW_KERNEL int32_t stw_mask_below(int32_t a, int32_t b) {
    const uint32_t x = (uint32_t)a;
    const uint32_t y = (uint32_t)b;

    return (int32_t)((x & ~y) | (~(x ^ y) & (x - y))) >> 31;
}

/* The same of 64 bits. */
STW_KERNEL int32_t stw_mask_below_s64(int64_t a, int64_t b) {
    const uint64_t x = (uint64_t)a;
    const uint64_t y = (uint64_t)b;

    return (int32_t)(((x & ~y) | (~(x ^ y) & (x - y))) >> 32) >> 31;
}

/*
 * The same for floats, which may be infinite; a NaN counts as beyond all numbers of its sign, and may stay a NaN
 * where that side has no bound. In integers and masks, because compilers turn comparisons of floats, and choices
 * between a float and a constant, into branches. Floats that are not negative are in order as bits.
 */
STW_KERNEL float stw_clamp_f32(float value, float lowest, float highest) {
    const int32_t least = stw_bits_f32(lowest);
    const int32_t most = stw_bits_f32(highest);
    const int32_t bits = stw_bits_f32(value);

    if (least >= 0) {
        const int32_t raised = stw_larger_near(bits & ~(bits >> 31), least);
        return stw_from_bits_f32(highest == STW_INFINITY ? raised : stw_smaller_near(raised, most));
    }
    if (lowest > -STW_INFINITY || highest < STW_INFINITY) {
        const int32_t least_order = stw_ordered_bits(least);
        const int32_t most_order = stw_ordered_bits(most);
        int32_t order = stw_ordered_bits(bits);

        order ^= (order ^ least_order) & stw_mask_below(order, least_order);
        order ^= (order ^ most_order) & stw_mask_below(most_order, order);
        return stw_from_bits_f32(stw_ordered_bits(order));
    }
    return value;
}

#endif
