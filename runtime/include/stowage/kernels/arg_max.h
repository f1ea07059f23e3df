/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Index of the largest element along an axis: input [outer, axis, inner] -> output [outer, inner] of int64.
 * Of equal elements the first, or the last where select_last is 1. All extents are at least 1.
 *
 * Floats compare as numbers, -0 and 0 being equal; a NaN counts as beyond all numbers of its sign.
 *
 * In place, with elements of s bytes: walks forward and has read a whole axis before it writes the index. The
 * safe distance in bytes is
 *
 *     max(0, 8 - axis * s) * inner * (outer - 1) + (8 - s) * (inner - 1)
 */
#ifndef STOWAGE_KERNELS_ARG_MAX_H
#define STOWAGE_KERNELS_ARG_MAX_H

#include <stdint.h>

#include "stowage/core/kernel.h"

/* All bits where a > b, else none. */
STW_KERNEL int32_t stw_greater_mask(int32_t a, int32_t b) {
    return (int32_t)(((int64_t)b - a) >> 63);
}

/* An integer in the order of a float; adding 0 makes -0 into 0. */
STW_KERNEL int32_t stw_rank_f32(float x) {
    return stw_ordered_bits(stw_bits_f32(x + 0.0f));
}

STW_KERNEL int32_t stw_rank_s8(int8_t x) {
    return x;
}

STW_KERNEL int32_t stw_rank_u8(uint8_t x) {
    return x;
}

STW_KERNEL int32_t stw_rank_s32(int32_t x) {
    return x;
}

#define STW_ARG_MAX_KERNEL(suffix, type)                                                                     \
    struct stw_arg_max_##suffix##_params {                                                                   \
        int32_t outer;                                                                                       \
        int32_t axis;                                                                                        \
        int32_t inner;                                                                                       \
        int32_t select_last; /* 0 or 1 */                                                                    \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL int32_t stw_arg_max_row_##suffix(const struct stw_arg_max_##suffix##_params *p,               \
                                                const type *first) {                                         \
        int32_t largest = stw_rank_##suffix(first[0]);                                                       \
        int32_t index = 0;                                                                                   \
                                                                                                             \
        for (int32_t i = 1; i < p->axis; ++i) {                                                              \
            const int32_t rank = stw_rank_##suffix(first[i * p->inner]);                                     \
            const int32_t take =                                                                             \
                p->select_last ? ~stw_greater_mask(largest, rank) : stw_greater_mask(rank, largest);         \
                                                                                                             \
            largest = (rank & take) | (largest & ~take);                                                     \
            index = (i & take) | (index & ~take);                                                            \
        }                                                                                                    \
        return index;                                                                                        \
    }                                                                                                        \
                                                                                                             \
    STW_KERNEL void stw_arg_max_##suffix(const struct stw_arg_max_##suffix##_params *p, const type *input,   \
                                         int64_t *output) {                                                  \
        for (int32_t block = 0; block < p->outer; ++block) {                                                 \
            for (int32_t i = 0; i < p->inner; ++i) {                                                         \
                *output++ = stw_arg_max_row_##suffix(p, input + i);                                          \
            }                                                                                                \
            input += p->axis * p->inner;                                                                     \
        }                                                                                                    \
    }

STW_ARG_MAX_KERNEL(f32, float)
STW_ARG_MAX_KERNEL(s8, int8_t)
STW_ARG_MAX_KERNEL(u8, uint8_t)
STW_ARG_MAX_KERNEL(s32, int32_t)

#endif /* STOWAGE_KERNELS_ARG_MAX_H */
