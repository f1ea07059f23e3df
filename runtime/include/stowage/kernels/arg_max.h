/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Index of the largest element along an axis: input [outer, axis, inner] -> output [outer, inner] of int64, for
 * elements of f32 and of integers of any width. Of equal elements the first, or the last where select_last is
 * 1. All extents are at least 1.
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

/* All bits where a > b, else none: by the borrow of b - a (Warren, "Hacker's Delight", 2-12). */
#define STW_GREATER_MASK(name, type, utype)                                                                  \
    STW_KERNEL type stw_greater_mask_##name(type a, type b) {                                                \
        const utype x = (utype)b;                                                                            \
        const utype y = (utype)a;                                                                            \
                                                                                                             \
        return (type)((x & ~y) | (~(x ^ y) & (x - y))) >> (8 * sizeof(type) - 1);                            \
    }

STW_GREATER_MASK(s32, int32_t, uint32_t)
STW_GREATER_MASK(s64, int64_t, uint64_t)

#define STW_RANK_SAME(x) (x)
#define STW_RANK_U32(x) ((int32_t)((x) ^ 0x80000000u))
#define STW_RANK_U64(x) ((int64_t)((x) ^ 0x8000000000000000u))

/* `rank` is a signed type, and `rank_of` gives numbers of it in the order of the elements. */
#define STW_ARG_MAX_KERNEL(suffix, type, rank, rank_type, rank_of)                                           \
    struct stw_arg_max_##suffix##_params {                                                                   \
        int32_t outer;                                                                                       \
        int32_t axis;                                                                                        \
        int32_t inner;                                                                                       \
        int32_t select_last; /* 0 or 1 */                                                                    \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL int32_t stw_arg_max_row_##suffix(const struct stw_arg_max_##suffix##_params *p,               \
                                                const type *first) {                                         \
        rank_type largest = rank_of(first[0]);                                                               \
        int32_t index = 0;                                                                                   \
                                                                                                             \
        for (int32_t i = 1; i < p->axis; ++i) {                                                              \
            const rank_type next = rank_of(first[i * p->inner]);                                             \
            const rank_type take = p->select_last ? ~stw_greater_mask_##rank(largest, next)                  \
                                                  : stw_greater_mask_##rank(next, largest);                  \
                                                                                                             \
            largest = (next & take) | (largest & ~take);                                                     \
            index = (i & (int32_t)take) | (index & ~(int32_t)take);                                          \
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

STW_ARG_MAX_KERNEL(f32, float, s32, int32_t, stw_rank_f32)
STW_ARG_MAX_KERNEL(s8, int8_t, s32, int32_t, STW_RANK_SAME)
STW_ARG_MAX_KERNEL(u8, uint8_t, s32, int32_t, STW_RANK_SAME)
STW_ARG_MAX_KERNEL(s16, int16_t, s32, int32_t, STW_RANK_SAME)
STW_ARG_MAX_KERNEL(u16, uint16_t, s32, int32_t, STW_RANK_SAME)
STW_ARG_MAX_KERNEL(s32, int32_t, s32, int32_t, STW_RANK_SAME)
STW_ARG_MAX_KERNEL(u32, uint32_t, s32, int32_t, STW_RANK_U32)
STW_ARG_MAX_KERNEL(s64, int64_t, s64, int64_t, STW_RANK_SAME)
STW_ARG_MAX_KERNEL(u64, uint64_t, s64, int64_t, STW_RANK_U64)

#endif /* STOWAGE_KERNELS_ARG_MAX_H */
