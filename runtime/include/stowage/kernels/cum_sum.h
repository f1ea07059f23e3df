/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running sums along an axis of f32 s32 s64 u32 u64: input [outer, axis, inner] -> output of the same shape.
 * `exclusive` leaves out the element itself, `reverse` runs from the end; integers wrap around. All extents are at least 1.
 *
 * Input and output must not overlap.
 */
#ifndef STOWAGE_KERNELS_CUM_SUM_H
#define STOWAGE_KERNELS_CUM_SUM_H

#include <stdint.h>

#include "stowage/core/kernel.h"

#define STW_CUM_SUM_KERNEL(suffix, type, wide)                                                               \
    struct stw_cum_sum_##suffix##_params {                                                                   \
        int32_t outer;                                                                                       \
        int32_t axis;                                                                                        \
        int32_t inner;                                                                                       \
        int32_t exclusive; /* 0 or 1 */                                                                      \
        int32_t reverse;   /* 0 or 1 */                                                                      \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void stw_cum_sum_row_##suffix(const struct stw_cum_sum_##suffix##_params *p,                  \
                                             const type *from, type *to) {                                   \
        wide sum = 0;                                                                                        \
                                                                                                             \
        for (int32_t step = 0; step < p->axis; ++step) {                                                     \
            const int32_t place = (p->reverse ? p->axis - 1 - step : step) * p->inner;                       \
            const wide next = (wide)(sum + (wide)from[place]);                                               \
                                                                                                             \
            to[place] = (type)(p->exclusive ? sum : next);                                                   \
            sum = next;                                                                                      \
        }                                                                                                    \
    }                                                                                                        \
                                                                                                             \
    STW_KERNEL void stw_cum_sum_##suffix(const struct stw_cum_sum_##suffix##_params *p, const type *input,   \
                                         type *output) {                                                     \
        for (int32_t block = 0; block < p->outer; ++block) {                                                 \
            for (int32_t i = 0; i < p->inner; ++i) {                                                         \
                const int32_t first = block * p->axis * p->inner + i;                                        \
                                                                                                             \
                stw_cum_sum_row_##suffix(p, input + first, output + first);                                  \
            }                                                                                                \
        }                                                                                                    \
    }

STW_CUM_SUM_KERNEL(f32, float, float)
STW_CUM_SUM_KERNEL(s32, int32_t, uint32_t)
STW_CUM_SUM_KERNEL(s64, int64_t, uint64_t)
STW_CUM_SUM_KERNEL(u32, uint32_t, uint32_t)
STW_CUM_SUM_KERNEL(u64, uint64_t, uint64_t)

#endif /* STOWAGE_KERNELS_CUM_SUM_H */
