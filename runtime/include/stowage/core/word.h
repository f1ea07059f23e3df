/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Moving elements without looking at them. The words may alias elements of any type, so that the compiler
 * does not take a move for unrelated to the kernels before and after it.
 */
#ifndef STOWAGE_CORE_WORD_H
#define STOWAGE_CORE_WORD_H

#include <stddef.h>
#include <stdint.h>

#include "stowage/core/kernel.h"

typedef uint8_t stw_word8;
typedef uint16_t __attribute__((may_alias)) stw_word16;
typedef uint32_t __attribute__((may_alias)) stw_word32;
typedef uint64_t __attribute__((may_alias)) stw_word64;

/* A word at any address; cores without unaligned access read it byte by byte. */
struct stw_loose_word {
    uint32_t word;
} __attribute__((packed, may_alias));

#if defined(__arm__) && !defined(__ARM_FEATURE_UNALIGNED)
#define STW_LOOSE_WORD_BYTES 1
#else
#define STW_LOOSE_WORD_BYTES 4
#endif

/* Copies upwards from the lowest byte on: `output` is disjoint from `input`, or begins at or below it. */
STW_KERNEL void stw_copy_upwards(uint8_t *output, const uint8_t *input, int32_t bytes) {
    int32_t i = 0;

    if (STW_LOOSE_WORD_BYTES == 4) {
        STW_UNROLL(4)
        for (; i + 4 <= bytes; i += 4) {
            *(struct stw_loose_word *)(output + i) = *(const struct stw_loose_word *)(input + i);
        }
    }
    for (; i < bytes; ++i) {
        output[i] = input[i];
    }
}

/* Copies downwards from the highest byte on: `output` is disjoint from `input`, or ends at or above its end. */
STW_KERNEL void stw_copy_downwards(uint8_t *output, const uint8_t *input, int32_t bytes) {
    int32_t left = bytes;

    if (STW_LOOSE_WORD_BYTES == 4) {
        STW_UNROLL(4)
        for (; left >= 4; left -= 4) {
            *(struct stw_loose_word *)(output + left - 4) =
                *(const struct stw_loose_word *)(input + left - 4);
        }
    }
    for (; left > 0; --left) {
        output[left - 1] = input[left - 1];
    }
}

/* Copies from the end that a walk comes to first; `backward` is a constant. */
STW_KERNEL void stw_copy_walking(uint8_t *output, const uint8_t *input, int32_t bytes, int32_t backward) {
    if (backward != 0) {
        stw_copy_downwards(output, input, bytes);
    } else {
        stw_copy_upwards(output, input, bytes);
    }
}

#endif /* STOWAGE_CORE_WORD_H */
