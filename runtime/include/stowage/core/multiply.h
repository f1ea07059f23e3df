/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The 64-bit product of two 32-bit numbers, in the same number of instructions for all of them.
 *
 * Cores without a long multiplication call the compiler's library for it, which branches on a carry. There the high word is
 * put together from 16-bit halves (Knuth's schoolbook product; the low halves count as unsigned).
 */
#ifndef STOWAGE_CORE_MULTIPLY_H
#define STOWAGE_CORE_MULTIPLY_H

#include <stdint.h>

#include "stowage/core/kernel.h"

#if defined(__thumb__) && !defined(__thumb2__)

/* Bits 32 to 63 of the product. */
STW_KERNEL int32_t stw_multiply_high(int32_t a, int32_t b) {
    const int32_t a_low = (int32_t)((uint32_t)a & 0xFFFFu);
    const int32_t b_low = (int32_t)((uint32_t)b & 0xFFFFu);
    const uint32_t low = (uint32_t)a_low * (uint32_t)b_low;
    const int32_t first = (a >> 16) * b_low + (int32_t)(low >> 16);
    const int32_t second = a_low * (b >> 16) + (int32_t)((uint32_t)first & 0xFFFFu);

    return (a >> 16) * (b >> 16) + (first >> 16) + (second >> 16);
}

STW_KERNEL int64_t stw_multiply(int32_t a, int32_t b) {
    const uint32_t high = (uint32_t)stw_multiply_high(a, b);

    return (int64_t)((uint64_t)high << 32 | (uint32_t)a * (uint32_t)b);
}

#else

STW_KERNEL int64_t stw_multiply(int32_t a, int32_t b) {
    return (int64_t)a * b;
}

STW_KERNEL int32_t stw_multiply_high(int32_t a, int32_t b) {
    return (int32_t)(stw_multiply(a, b) >> 32);
}

#endif

#endif
