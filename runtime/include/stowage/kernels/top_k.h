/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Indices of the largest (or smallest) elements along an axis, in their order; of equals the lower index is first.
 * Input [outer, axis, inner] of f32 s8 s16 s32 s64 u8 u16 u32 u64 -> int64 output [outer, count, inner], with
 * 1 <= count <= axis. A NaN is beyond all numbers of its sign; -0 and 0 are equal.
 *
 * Each of the `count` results takes one walk over all elements: of those that come after the last result, it keeps the
 * first. Elements are compared as keys, signed integers in the elements' order, by masks, so that the instructions are
 * the same whatever the order is.
 *
 * Input and output must not overlap.
 */
#ifndef STOWAGE_KERNELS_TOP_K_H
#define STOWAGE_KERNELS_TOP_K_H

#include <stdint.h>

#include "stowage/core/kernel.h"

#define STW_TOP_K_SAME_KEY(suffix, type)                                                                     \
    STW_KERNEL int32_t stw_top_k_key_##suffix(type element) {                                                \
        return element;                                                                                      \
    }

STW_TOP_K_SAME_KEY(s8, int8_t)
STW_TOP_K_SAME_KEY(s16, int16_t)
STW_TOP_K_SAME_KEY(s32, int32_t)
STW_TOP_K_SAME_KEY(u8, uint8_t)
STW_TOP_K_SAME_KEY(u16, uint16_t)

STW_KERNEL int32_t stw_top_k_key_u32(uint32_t element) {
    return (int32_t)(element ^ 0x80000000u);
}

STW_KERNEL int64_t stw_top_k_key_s64(int64_t element) {
    return element;
}

STW_KERNEL int64_t stw_top_k_key_u64(uint64_t element) {
    return (int64_t)(element ^ 0x8000000000000000u);
}

/* Zero added makes -0 to 0. */
STW_KERNEL int32_t stw_top_k_key_f32(float element) {
    return stw_ordered_bits(stw_bits_f32(element + 0.0f));
}

/* `below` compares keys of type `key_type`, whose lowest and highest are given. */
#define STW_TOP_K_KERNEL(suffix, type, key_type, below, lowest, highest)                                     \
    struct stw_top_k_##suffix##_params {                                                                     \
        int32_t outer;                                                                                       \
        int32_t axis;                                                                                        \
        int32_t inner;                                                                                       \
        int32_t count;                                                                                       \
        int32_t largest; /* 0 or 1 */                                                                        \
    };                                                                                                       \
                                                                                                             \
    /* Among elements with one key the walk, from the end on, ends at the first. */                          \
    STW_KERNEL void stw_top_k_row_##suffix(const struct stw_top_k_##suffix##_params *p, const type *input,   \
                                           int64_t *output) {                                                \
        key_type last_key = highest;                                                                         \
        int32_t last_place = -1;                                                                             \
                                                                                                             \
        for (int32_t rank = 0; rank < p->count; ++rank) {                                                    \
            key_type best_key = lowest;                                                                      \
            int32_t best_place = 0;                                                                          \
                                                                                                             \
            for (int32_t place = p->axis - 1; place >= 0; --place) {                                         \
                const key_type upright = stw_top_k_key_##suffix(input[place * p->inner]);                    \
                const key_type key = p->largest ? upright : ~upright;                                        \
                const int32_t below_last = below(key, last_key);                                             \
                const int32_t level = ~(below_last | below(last_key, key));                                  \
                const int32_t later = below_last | (level & stw_mask_below(last_place, place));              \
                const int32_t better = later & ~below(key, best_key);                                        \
                                                                                                             \
                best_key ^= (best_key ^ key) & (key_type)better;                                             \
                best_place ^= (best_place ^ place) & better;                                                 \
            }                                                                                                \
            output[rank * p->inner] = best_place;                                                            \
            last_key = best_key;                                                                             \
            last_place = best_place;                                                                         \
        }                                                                                                    \
    }                                                                                                        \
                                                                                                             \
    STW_KERNEL void stw_top_k_##suffix(const struct stw_top_k_##suffix##_params *p, const type *input,       \
                                       int64_t *output) {                                                    \
        for (int32_t block = 0; block < p->outer; ++block) {                                                 \
            for (int32_t i = 0; i < p->inner; ++i) {                                                         \
                stw_top_k_row_##suffix(p, input + (block * p->axis * p->inner + i),                          \
                                       output + (block * p->count * p->inner + i));                          \
            }                                                                                                \
        }                                                                                                    \
    }

#define STW_TOP_K_NARROW(suffix, type)                                                                       \
    STW_TOP_K_KERNEL(suffix, type, int32_t, stw_mask_below, INT32_MIN, INT32_MAX)
#define STW_TOP_K_WIDE(suffix, type)                                                                         \
    STW_TOP_K_KERNEL(suffix, type, int64_t, stw_mask_below_s64, INT64_MIN, INT64_MAX)

STW_TOP_K_NARROW(f32, float)
STW_TOP_K_NARROW(s8, int8_t)
STW_TOP_K_NARROW(s16, int16_t)
STW_TOP_K_NARROW(s32, int32_t)
STW_TOP_K_NARROW(u8, uint8_t)
STW_TOP_K_NARROW(u16, uint16_t)
STW_TOP_K_NARROW(u32, uint32_t)
STW_TOP_K_WIDE(s64, int64_t)
STW_TOP_K_WIDE(u64, uint64_t)

#endif /* STOWAGE_KERNELS_TOP_K_H */
