/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reductions over some axes of a tensor of up to eight (shapes and overlap: reduce_mean.h), stw_reduce_<what>_<type>.
 * Elements are taken in row-major order.
 *
 *   sum prod                    of f32 s32 s64 u32 u64; integers wrap around
 *   max min                     of f32 s8 u8 s32 s64 u32 u64; NaNs lose
 *   l1                          of f32 s32 s64: sum of sizes
 *   sum_square                  of f32 s32 s64 u32 u64
 *   l2 log_sum                  of f32: root of the sum of squares, logarithm of the sum
 *   log_sum_exp                 of f32: largest + log(sum of e^(x - largest)), in two passes
 */
#ifndef STOWAGE_KERNELS_REDUCE_H
#define STOWAGE_KERNELS_REDUCE_H

#include <stdint.h>

#include "stowage/core/logarithm.h"
#include "stowage/core/round.h"
#include "stowage/kernels/reduce_mean.h"

/* Defines stw_fold_<name>: `step`, made of `sum` and the element x, over all elements that go, from `start` on. */
#define STW_FOLD(name, type, sum_type, step)                                                                 \
    STW_KERNEL sum_type stw_fold_##name(const int32_t *extents, const int32_t *strides, const type *first,   \
                                        sum_type start) {                                                    \
        sum_type sum = start;                                                                                \
                                                                                                             \
        for (int32_t i = 0; i < extents[0]; ++i) {                                                           \
            for (int32_t j = 0; j < extents[1]; ++j) {                                                       \
                const type *row = first + (i * strides[0] + j * strides[1]);                                 \
                                                                                                             \
                for (int32_t k = 0; k < extents[2]; ++k) {                                                   \
                    const type x = row[k * strides[2]];                                                      \
                                                                                                             \
                    sum = (sum_type)(step);                                                                  \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
        return sum;                                                                                          \
    }

/* Defines the kernel stw_reduce_<name>, whose elements are `result`, made of p and `first`. */
#define STW_REDUCE_WALK(name, type, result)                                                                  \
    struct stw_reduce_##name##_params {                                                                      \
        STW_REDUCED_SHAPE                                                                                    \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void stw_reduce_##name(const struct stw_reduce_##name##_params *p, const type *input,         \
                                      type *output) {                                                        \
        struct stw_walk walk = {{0}};                                                                        \
                                                                                                             \
        do {                                                                                                 \
            const type *row = input + stw_walk_offset(&walk, p->strides);                                    \
                                                                                                             \
            for (int32_t i = 0; i < p->extents[STW_AXES - 1]; ++i) {                                         \
                const type *first = row + i * p->strides[STW_AXES - 1];                                      \
                                                                                                             \
                *output++ = (type)(result);                                                                  \
            }                                                                                                \
        } while (stw_walk_next(&walk, p->extents));                                                          \
    }

#define STW_FOLDED(name, start) stw_fold_##name(p->reduced_extents, p->reduced_strides, first, start)

#define STW_REDUCE_KERNEL(name, type, sum_type, start, step)                                                 \
    STW_FOLD(name, type, sum_type, step)                                                                     \
    STW_REDUCE_WALK(name, type, STW_FOLDED(name, start))

/* `wide` is unsigned, so that sums and products wrap around. */
#define STW_REDUCE_INTEGERS(suffix, type, wide, lowest, highest)                                             \
    STW_REDUCE_KERNEL(sum_##suffix, type, wide, 0, sum + (wide)x)                                            \
    STW_REDUCE_KERNEL(prod_##suffix, type, wide, 1, sum *(wide)x)                                            \
    STW_REDUCE_KERNEL(sum_square_##suffix, type, wide, 0, sum + (wide)x * (wide)x)                           \
    STW_REDUCE_EXTREMES(suffix, type, lowest, highest)

#define STW_REDUCE_EXTREMES(suffix, type, lowest, highest)                                                   \
    STW_REDUCE_KERNEL(max_##suffix, type, type, lowest, x > sum ? x : sum)                                   \
    STW_REDUCE_KERNEL(min_##suffix, type, type, highest, x < sum ? x : sum)

STW_REDUCE_INTEGERS(s32, int32_t, uint32_t, INT32_MIN, INT32_MAX)
STW_REDUCE_INTEGERS(s64, int64_t, uint64_t, INT64_MIN, INT64_MAX)
STW_REDUCE_INTEGERS(u32, uint32_t, uint32_t, 0, UINT32_MAX)
STW_REDUCE_INTEGERS(u64, uint64_t, uint64_t, 0, UINT64_MAX)
STW_REDUCE_EXTREMES(s8, int8_t, INT8_MIN, INT8_MAX)
STW_REDUCE_EXTREMES(u8, uint8_t, 0, UINT8_MAX)
STW_REDUCE_KERNEL(l1_s32, int32_t, uint32_t, 0, sum + (x < 0 ? 0u - (uint32_t)x : (uint32_t)x))
STW_REDUCE_KERNEL(l1_s64, int64_t, uint64_t, 0, sum + (x < 0 ? 0u - (uint64_t)x : (uint64_t)x))

STW_REDUCE_KERNEL(sum_f32, float, float, 0.0f, sum + x)
STW_REDUCE_KERNEL(prod_f32, float, float, 1.0f, sum *x)
STW_REDUCE_KERNEL(max_f32, float, float, -STW_INFINITY, stw_choose_f32(-(int32_t)(x > sum), x, sum))
STW_REDUCE_KERNEL(min_f32, float, float, STW_INFINITY, stw_choose_f32(-(int32_t)(x < sum), x, sum))
STW_REDUCE_KERNEL(l1_f32, float, float, 0.0f, sum + stw_size_f32(x))
STW_REDUCE_KERNEL(sum_square_f32, float, float, 0.0f, sum + x * x)
STW_REDUCE_WALK(l2_f32, float, stw_sqrt_f32(STW_FOLDED(sum_square_f32, 0.0f)))
STW_REDUCE_WALK(log_sum_f32, float, stw_log_f32(STW_FOLDED(sum_f32, 0.0f)))

/* The logarithm of the sum of all e^x for numbers of which `largest` is that; an infinite one is the result. */
STW_KERNEL float stw_log_sum_exp_f32(const int32_t *extents, const int32_t *strides, const float *first,
                                     float largest) {
    const float origin = stw_clamp_f32(largest, -0x1.fffffep127f, 0x1.fffffep127f);
    float sum = 0.0f;

    for (int32_t i = 0; i < extents[0]; ++i) {
        for (int32_t j = 0; j < extents[1]; ++j) {
            const float *row = first + (i * strides[0] + j * strides[1]);

            for (int32_t k = 0; k < extents[2]; ++k) {
                sum += stw_exp_f32(row[k * strides[2]] - origin);
            }
        }
    }
    return origin + stw_log_f32(sum);
}

STW_REDUCE_WALK(log_sum_exp_f32, float,
                stw_log_sum_exp_f32(p->reduced_extents, p->reduced_strides, first,
                                    STW_FOLDED(max_f32, -STW_INFINITY)))

#endif /* STOWAGE_KERNELS_REDUCE_H */
