/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Running sums (cum_sum) and products (cum_prod) along an axis, of f32 s32 s64 u32 u64: input [outer, axis, inner] ->
 * output of the same shape. `exclusive` leaves out the element itself, `reverse` runs from the end; integers wrap
 * around. All extents are at least 1.
 *
 * Input and output must not overlap.
 */
#ifndef STOWAGE_KERNELS_CUMULATION_H
#define STOWAGE_KERNELS_CUMULATION_H

#include <stdint.h>

#include "stowage/core/kernel.h"

/* Defines stw_<name>; `next` is made of `so_far` and the element x. */
#define STW_CUMULATION_KERNEL(name, type, wide, start, next)                                                 \
    struct stw_##name##_params {                                                                             \
        int32_t outer;                                                                                       \
        int32_t axis;                                                                                        \
        int32_t inner;                                                                                       \
        int32_t exclusive; /* 0 or 1 */                                                                      \
        int32_t reverse;   /* 0 or 1 */                                                                      \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void stw_##name##_row(const struct stw_##name##_params *p, const type *from, type *to) {      \
        wide so_far = start;                                                                                 \
                                                                                                             \
        for (int32_t step = 0; step < p->axis; ++step) {                                                     \
            const int32_t place = (p->reverse ? p->axis - 1 - step : step) * p->inner;                       \
            const wide x = (wide)from[place];                                                                \
            const wide with_x = (wide)(next);                                                                \
                                                                                                             \
            to[place] = (type)(p->exclusive ? so_far : with_x);                                              \
            so_far = with_x;                                                                                 \
        }                                                                                                    \
    }                                                                                                        \
                                                                                                             \
    STW_KERNEL void stw_##name(const struct stw_##name##_params *p, const type *input, type *output) {       \
        for (int32_t block = 0; block < p->outer; ++block) {                                                 \
            for (int32_t i = 0; i < p->inner; ++i) {                                                         \
                const int32_t first = block * p->axis * p->inner + i;                                        \
                                                                                                             \
                stw_##name##_row(p, input + first, output + first);                                          \
            }                                                                                                \
        }                                                                                                    \
    }

#define STW_CUMULATION_KERNELS(suffix, type, wide)                                                           \
    STW_CUMULATION_KERNEL(cum_sum_##suffix, type, wide, 0, so_far + x)                                       \
    STW_CUMULATION_KERNEL(cum_prod_##suffix, type, wide, 1, so_far *x)

STW_CUMULATION_KERNELS(f32, float, float)
STW_CUMULATION_KERNELS(s32, int32_t, uint32_t)
STW_CUMULATION_KERNELS(s64, int64_t, uint64_t)
STW_CUMULATION_KERNELS(u32, uint32_t, uint32_t)
STW_CUMULATION_KERNELS(u64, uint64_t, uint64_t)

#endif /* STOWAGE_KERNELS_CUMULATION_H */
