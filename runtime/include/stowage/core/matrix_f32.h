/* SPDX-License-Identifier: Apache-2.0 */
/*
 * float32 input vectors times a constant matrix: what convolution and fully connected layers come down to.
 */
#ifndef STOWAGE_CORE_MATRIX_F32_H
#define STOWAGE_CORE_MATRIX_F32_H

#include <stdint.h>

#include "stowage/core/dot_f32.h"
#include "stowage/core/kernel.h"

/* The interval of output elements: a fused activation, or infinities. */
struct stw_output_f32 {
    float lowest;
    float highest;
};

/*
 * The matrix [channel, depth] and its bias.
 *
 *   weights  float [channels / 4][depth][4], then the remaining channels as [channels % 4][depth]
 *   bias     float [channels]
 */
struct stw_matrix_f32 {
    const float *weights;
    const float *bias;
};

/* The output elements of `channels` adjacent channels from their sums. */
STW_KERNEL void stw_matrix_store_f32(const struct stw_output_f32 *p, int32_t rows, int32_t row_stride,
                                     int32_t channels, const float *sums, float *output) {
    for (int32_t r = 0; r < rows; r++) {
        for (int32_t c = 0; c < channels; c++) {
            output[r * row_stride + c] = stw_clamp_f32(sums[r * 4 + c], p->lowest, p->highest);
        }
    }
}

/*
 * output[r][c] for the one or two (a constant) input vectors r, `input_stride` apart, and all channels c.
 *
 * Channels are made in ascending blocks of four, then one by one; a block is written after all that it reads is read.
 */
STW_KERNEL void stw_matrix_rows_f32(const struct stw_output_f32 *p, const struct stw_matrix_f32 *matrix,
                                    int32_t rows, int32_t depth, int32_t channels, const float *input,
                                    int32_t input_stride, float *output, int32_t output_stride) {
    const int32_t blocked = channels - channels % 4;
    const float *weights = matrix->weights;
    float sums[8];

    for (int32_t c = 0; c < blocked; c += 4) {
        if (rows == 2) {
            stw_dot_2x4_f32(sums, matrix->bias + c, input, input_stride, weights, depth);
        } else {
            stw_dot_1x4_f32(sums, matrix->bias + c, input, weights, depth);
        }
        stw_matrix_store_f32(p, rows, output_stride, 4, sums, output + c);
        weights += 4 * depth;
    }
    for (int32_t c = blocked; c < channels; c++) {
        sums[0] = stw_dot_1x1_f32(matrix->bias[c], input, weights, depth);
        if (rows == 2) {
            sums[4] = stw_dot_1x1_f32(matrix->bias[c], input + input_stride, weights, depth);
        }
        stw_matrix_store_f32(p, rows, output_stride, 1, sums, output + c);
        weights += depth;
    }
}

#endif
