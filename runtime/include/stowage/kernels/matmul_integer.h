/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Product of two tensors of matrices of plain integers, stw_matmul_<type> of s32 s64 u32 u64; leading axes broadcast.
 *
 *   a       [batch axes, row, depth]
 *   b       [batch axes, depth, column]
 *   output  [batch axes, row, column]
 *
 * output = sum over depth of a * b, which wraps around.
 *
 * Order: output elements ascend, each written after all that it reads is read.
 * Overlap: the output may lie over either operand, or both. A row of a is read from its begin when all of the output
 * before the row's last element is written; a column of b is read when all of the output before that column of the
 * product's last row is written. The output must start below a, and below b, by the largest lead of what is written
 * over what is read then, or 0 if that is negative.
 */
#ifndef STOWAGE_KERNELS_MATMUL_INTEGER_H
#define STOWAGE_KERNELS_MATMUL_INTEGER_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/walk.h"

/* `wide` is unsigned and as large as `type`. */
#define STW_MATMUL_INTEGER_KERNEL(suffix, type, wide)                                                        \
    struct stw_matmul_##suffix##_params {                                                                    \
        int32_t                                                                                              \
            batches[STW_AXES]; /* up to STW_AXES - 1 batch axes, filled up in front with ones, then a 1 */   \
        int32_t a_strides[STW_AXES]; /* elements from one batch to the next, 0 where `a` is broadcast */     \
        int32_t b_strides[STW_AXES];                                                                         \
        int32_t rows;                                                                                        \
        int32_t depth;                                                                                       \
        int32_t columns;                                                                                     \
    };                                                                                                       \
                                                                                                             \
    /* One output element from a row and the first element of a column. */                                   \
    STW_SHARED type stw_matmul_1x1_##suffix(const type *a, const type *b, int32_t depth, int32_t b_stride) { \
        wide sum = 0;                                                                                        \
                                                                                                             \
        for (int32_t k = 0; k < depth; k++) {                                                                \
            sum += (wide)a[k] * (wide) * b;                                                                  \
            b += b_stride;                                                                                   \
        }                                                                                                    \
        return (type)sum;                                                                                    \
    }                                                                                                        \
                                                                                                             \
    STW_KERNEL void stw_matmul_##suffix(const struct stw_matmul_##suffix##_params *p, const type *a,         \
                                        const type *b, type *output) {                                       \
        struct stw_walk walk = {{0}};                                                                        \
                                                                                                             \
        do {                                                                                                 \
            const type *row = a + stw_walk_offset(&walk, p->a_strides);                                      \
            const type *matrix = b + stw_walk_offset(&walk, p->b_strides);                                   \
                                                                                                             \
            for (int32_t r = 0; r < p->rows; r++) {                                                          \
                for (int32_t c = 0; c < p->columns; c++) {                                                   \
                    *output++ = stw_matmul_1x1_##suffix(row, matrix + c, p->depth, p->columns);              \
                }                                                                                            \
                row += p->depth;                                                                             \
            }                                                                                                \
        } while (stw_walk_next(&walk, p->batches));                                                          \
    }

STW_MATMUL_INTEGER_KERNEL(s32, int32_t, uint32_t)
STW_MATMUL_INTEGER_KERNEL(s64, int64_t, uint64_t)
STW_MATMUL_INTEGER_KERNEL(u32, uint32_t, uint32_t)
STW_MATMUL_INTEGER_KERNEL(u64, uint64_t, uint64_t)

#endif /* STOWAGE_KERNELS_MATMUL_INTEGER_H */
