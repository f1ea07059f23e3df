/* SPDX-License-Identifier: Apache-2.0 */
/*
 * int8 product of two tensors of matrices, neither of which need be constant; leading axes broadcast.
 *
 *   a            int8  [batch axes, row, depth]
 *   b            int8  [batch axes, depth, column]
 *   multipliers  int32 [column] or [1], shifts int8 likewise: see core/requantise.h and core/output_s8.h
 *   output       int8  [batch axes, row, column]
 *
 * output = clamp(zero point + requantise(sum over depth of (a - a_zero_point) * (b - b_zero_point))).
 *
 * Overflow: the compiler has checked that depth is at most 16,512, which keeps sums below 2^30.
 * Order: output elements ascend, in blocks of four of a row, those that are left over one by one; what is made at once is
 * written after all that it reads is read.
 * Overlap: the output may lie over either operand, or both. A row of a is read from its begin when all of the output
 * before the row's last block is written; a column of b is read when all of the output before that column of the
 * product's last row is written. The output must start below a, and below b, by the largest lead of what is written
 * over what is read then, or 0 if that is negative.
 */
#ifndef STOWAGE_KERNELS_MATMUL_S8_H
#define STOWAGE_KERNELS_MATMUL_S8_H

#include <stdint.h>

#include "stowage/core/dot_s8.h"
#include "stowage/core/kernel.h"
#include "stowage/core/output_s8.h"
#include "stowage/core/walk.h"

struct stw_matmul_s8_params {
    int32_t batches[STW_AXES]; /* extents of up to seven batch axes, filled up in front with ones, then a 1 */
    int32_t a_strides[STW_AXES]; /* elements from one batch to the next, 0 where `a` is broadcast */
    int32_t b_strides[STW_AXES];
    int32_t rows;
    int32_t depth;
    int32_t columns;
    int32_t a_zero_point;
    int32_t b_zero_point;
    struct stw_output_s8 output;
};

/* What the columns of one product share. */
struct stw_matmul_s8_row {
    const int8_t *a;
    int32_t a_zero_point;
    int32_t b_zero_point;
    int32_t depth;
    int32_t b_stride;
};

/* The sum of one column: b is its first element. */
STW_SHARED int32_t stw_matmul_1x1_s8(const struct stw_matmul_s8_row *row, const int8_t *b) {
    int32_t sum = 0;

    for (int32_t k = 0; k < row->depth; k++) {
        sum += (row->a[k] - row->a_zero_point) * (*b - row->b_zero_point);
        b += row->b_stride;
    }
    return sum;
}

/* The sums of four adjacent columns: b's zero point is taken off at the end, times the sum of the row. */
STW_SHARED void stw_matmul_1x4_s8(int32_t *sums, const struct stw_matmul_s8_row *row, const int8_t *b) {
    const int8_t *a = row->a;
    const int8_t *const end = a + row->depth;
    int32_t s0 = 0, s1 = 0, s2 = 0, s3 = 0, total = 0;

    for (; a != end; a++) {
        const int32_t x = *a - row->a_zero_point;

        s0 += x * b[0];
        s1 += x * b[1];
        s2 += x * b[2];
        s3 += x * b[3];
        total += x;
        b += row->b_stride;
    }
    total *= row->b_zero_point;
    sums[0] = s0 - total, sums[1] = s1 - total, sums[2] = s2 - total, sums[3] = s3 - total;
}

STW_KERNEL void stw_matmul_s8_store(const struct stw_output_s8 *p, int32_t count, const int32_t *sums,
                                    const int32_t *multipliers, const int8_t *shifts, int8_t *output) {
    for (int32_t c = 0; c < count; c++) {
        const int32_t at = p->per_channel ? c : 0;
        output[c] = stw_output_element_s8(p, sums[c], multipliers[at], shifts[at]);
    }
}

/* One row of the output. */
STW_KERNEL void stw_matmul_s8_columns(const struct stw_matmul_s8_params *p,
                                      const struct stw_matmul_s8_row *row, const int8_t *b,
                                      const int32_t *multipliers, const int8_t *shifts, int8_t *output) {
    const int32_t blocked = p->columns - p->columns % STW_BLOCK_CHANNELS;
    int32_t sums[STW_BLOCK_CHANNELS];

    for (int32_t c = 0; c < blocked; c += STW_BLOCK_CHANNELS) {
        const int32_t scale = p->output.per_channel ? c : 0;
        stw_matmul_1x4_s8(sums, row, b + c);
        stw_matmul_s8_store(&p->output, STW_BLOCK_CHANNELS, sums, multipliers + scale, shifts + scale,
                            output + c);
    }
    for (int32_t c = blocked; c < p->columns; c++) {
        const int32_t scale = p->output.per_channel ? c : 0;
        sums[0] = stw_matmul_1x1_s8(row, b + c);
        stw_matmul_s8_store(&p->output, 1, sums, multipliers + scale, shifts + scale, output + c);
    }
}

STW_KERNEL void stw_matmul_s8(const struct stw_matmul_s8_params *p, const int8_t *a, const int8_t *b,
                              const int32_t *multipliers, const int8_t *shifts, int8_t *output) {
    struct stw_walk walk = {{0}};

    do {
        struct stw_matmul_s8_row row = {a + stw_walk_offset(&walk, p->a_strides), p->a_zero_point,
                                        p->b_zero_point, p->depth, p->columns};
        for (int32_t r = 0; r < p->rows; r++) {
            stw_matmul_s8_columns(p, &row, b + stw_walk_offset(&walk, p->b_strides), multipliers, shifts,
                                  output);
            row.a += p->depth;
            output += p->columns;
        }
    } while (stw_walk_next(&walk, p->batches));
}

#endif
