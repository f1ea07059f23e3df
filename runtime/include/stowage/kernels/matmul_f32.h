/* SPDX-License-Identifier: Apache-2.0 */
/*
 * float32 product of two tensors of matrices, neither of which need be constant; leading axes broadcast.
 *
 *   a       float [batch axes, row, depth]
 *   b       float [batch axes, depth, column]
 *   output  float [batch axes, row, column]
 *
 * output = sum over ascending depth of a * b, rounded at every step.
 *
 * Order: output elements ascend, in blocks of four of a row, those that are left over one by one; what is made at once is
 * written after all that it reads is read.
 * Overlap: the output may lie over either operand, or both. A row of a is read from its begin when all of the output
 * before the row's last block is written; a column of b is read when all of the output before that column of the
 * product's last row is written. The output must start below a, and below b, by the largest lead of what is written
 * over what is read then, or 0 if that is negative.
 */
#ifndef STOWAGE_KERNELS_MATMUL_F32_H
#define STOWAGE_KERNELS_MATMUL_F32_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/walk.h"

struct stw_matmul_f32_params {
    int32_t batches[STW_AXES]; /* extents of up to seven batch axes, filled up in front with ones, then a 1 */
    int32_t a_strides[STW_AXES]; /* elements from one batch to the next, 0 where `a` is broadcast */
    int32_t b_strides[STW_AXES];
    int32_t rows;
    int32_t depth;
    int32_t columns;
};

/* One output element from a row and the first element of a column. */
STW_SHARED float stw_matmul_1x1_f32(const float *a, const float *b, int32_t depth, int32_t b_stride) {
    float sum = 0.0f;

    for (int32_t k = 0; k < depth; k++) {
        sum += a[k] * *b;
        b += b_stride;
    }
    return sum;
}

/* The output elements of four adjacent columns. */
STW_SHARED void stw_matmul_1x4_f32(float *output, const float *a, const float *b, int32_t depth,
                                   int32_t b_stride) {
    const float *const end = a + depth;
    float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;

    for (; a != end; a++) {
        const float x = *a;

        s0 += x * b[0];
        s1 += x * b[1];
        s2 += x * b[2];
        s3 += x * b[3];
        b += b_stride;
    }
    output[0] = s0, output[1] = s1, output[2] = s2, output[3] = s3;
}

/* One row of the output. */
STW_KERNEL void stw_matmul_f32_columns(const struct stw_matmul_f32_params *p, const float *a, const float *b,
                                       float *output) {
    const int32_t blocked = p->columns - p->columns % 4;

    for (int32_t c = 0; c < blocked; c += 4) {
        stw_matmul_1x4_f32(output + c, a, b + c, p->depth, p->columns);
    }
    for (int32_t c = blocked; c < p->columns; c++) {
        output[c] = stw_matmul_1x1_f32(a, b + c, p->depth, p->columns);
    }
}

STW_KERNEL void stw_matmul_f32(const struct stw_matmul_f32_params *p, const float *a, const float *b,
                               float *output) {
    struct stw_walk walk = {{0}};

    do {
        const float *row = a + stw_walk_offset(&walk, p->a_strides);
        for (int32_t r = 0; r < p->rows; r++) {
            stw_matmul_f32_columns(p, row, b + stw_walk_offset(&walk, p->b_strides), output);
            row += p->depth;
            output += p->columns;
        }
    } while (stw_walk_next(&walk, p->batches));
}

#endif
