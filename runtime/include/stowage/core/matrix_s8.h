/* SPDX-License-Identifier: Apache-2.0 */
/*
 * int8 input vectors times a constant matrix, to int8: what convolution and fully connected layers come down to.
 */
#ifndef STOWAGE_CORE_MATRIX_S8_H
#define STOWAGE_CORE_MATRIX_S8_H

#include <stdint.h>

#include "stowage/core/dot_pairs_s8.h"
#include "stowage/core/dot_s8.h"
#include "stowage/core/dot_vectors_s8.h"
#include "stowage/core/kernel.h"
#include "stowage/core/output_s8.h"

/*
 * The matrix [channel, depth] and what goes with its channels.
 *
 *   weights      int8 [channels / 4][depth * 4], then the remaining channels as [channels % 4][depth]
 *   bias         int32 [channels]
 *   multipliers  int32 [channels] or [1], shifts int8 likewise: see core/output_s8.h
 *   packing      how a block of four channels lies among the weights: what the core multiplies best, a constant
 */
struct stw_matrix_s8 {
    const int8_t *weights;
    const int32_t *bias;
    const int32_t *multipliers;
    const int8_t *shifts;
    int32_t packing;
};

#define STW_PACKED_SINGLY 0  /* core/dot_s8.h */
#define STW_PACKED_PAIRS 1   /* core/dot_pairs_s8.h */
#define STW_PACKED_VECTORS 2 /* core/dot_vectors_s8.h */

/* The sums of four channels for one or two (a constant) input vectors. */
STW_KERNEL void stw_matrix_block_s8(int32_t packing, int32_t rows, int32_t *sums, const int32_t *bias,
                                    const int8_t *input, int32_t stride, const int8_t *weights,
                                    int32_t depth) {
    if (packing == STW_PACKED_VECTORS) {
        if (rows == 2) {
            stw_dot_vectors_2x4_s8(sums, bias, input, stride, weights, depth);
        } else {
            stw_dot_vectors_1x4_s8(sums, bias, input, weights, depth);
        }
    } else if (packing == STW_PACKED_PAIRS) {
        if (rows == 2) {
            stw_dot_pairs_2x4_s8(sums, bias, input, stride, weights, depth);
        } else {
            stw_dot_pairs_1x4_s8(sums, bias, input, weights, depth);
        }
    } else if (rows == 2) {
        stw_dot_2x4_s8(sums, bias, input, stride, weights, depth);
    } else {
        stw_dot_1x4_s8(sums, bias, input, weights, depth);
    }
}

/* The sum of a single channel for one input vector. */
STW_KERNEL int32_t stw_matrix_single_s8(int32_t packing, int32_t bias, const int8_t *input,
                                        const int8_t *weights, int32_t depth) {
    if (packing == STW_PACKED_VECTORS) {
        return stw_dot_vectors_1x1_s8(bias, input, weights, depth);
    }
    if (packing == STW_PACKED_PAIRS) {
        return stw_dot_pairs_1x1_s8(bias, input, weights, depth);
    }
    return stw_dot_1x1_s8(bias, input, weights, depth);
}

#if defined(__ARM_FEATURE_MVE)
/* The output elements of a block of four channels from their sums, where the output is narrow. */
STW_KERNEL void stw_matrix_store_quad_s8(const struct stw_output_s8 *p, const struct stw_matrix_s8 *matrix,
                                         int32_t rows, int32_t row_stride, int32_t first, const int32_t *sums,
                                         int8_t *output) {
    const int32x4_t multipliers =
        p->per_channel ? vldrwq_s32(matrix->multipliers + first) : vdupq_n_s32(matrix->multipliers[0]);
    const int32x4_t shifts =
        p->per_channel ? vldrbq_s32(matrix->shifts + first) : vdupq_n_s32(matrix->shifts[0]);

    vstrbq_s32(output, stw_output_quad(p, vldrwq_s32(sums), multipliers, shifts));
    if (rows == 2) {
        vstrbq_s32(output + row_stride,
                   stw_output_quad(p, vldrwq_s32(sums + STW_BLOCK_CHANNELS), multipliers, shifts));
    }
}
#endif

/* The output elements of `channels` adjacent channels from their sums; `first` is the first of them. */
STW_KERNEL void stw_matrix_store_s8(const struct stw_output_s8 *p, const struct stw_matrix_s8 *matrix,
                                    int32_t rows, int32_t row_stride, int32_t channels, int32_t first,
                                    const int32_t *sums, int8_t *output) {
#if defined(__ARM_FEATURE_MVE)
    if (p->narrow && channels == STW_BLOCK_CHANNELS) {
        stw_matrix_store_quad_s8(p, matrix, rows, row_stride, first, sums, output);
        return;
    }
#endif
    for (int32_t c = 0; c < channels; c++) {
        const int32_t at = p->per_channel ? first + c : 0;
        const int32_t multiplier = matrix->multipliers[at];
        const int32_t shift = matrix->shifts[at];

        output[c] = stw_output_element_s8(p, sums[c], multiplier, shift);
        if (rows == 2) {
            output[row_stride + c] =
                stw_output_element_s8(p, sums[STW_BLOCK_CHANNELS + c], multiplier, shift);
        }
    }
}

/*
 * output[r][c] for the one or two (a constant) input vectors r, `input_stride` apart, and all channels c.
 *
 * Channels are made in ascending blocks of four, then one by one; a block is written after all that it reads is read.
 */
STW_KERNEL void stw_matrix_rows_s8(const struct stw_output_s8 *p, const struct stw_matrix_s8 *matrix,
                                   int32_t rows, int32_t depth, int32_t channels, const int8_t *input,
                                   int32_t input_stride, int8_t *output, int32_t output_stride) {
    const int32_t blocked = channels - channels % STW_BLOCK_CHANNELS;
    const int8_t *weights = matrix->weights;
    int32_t sums[2 * STW_BLOCK_CHANNELS];

    for (int32_t c = 0; c < blocked; c += STW_BLOCK_CHANNELS) {
        stw_matrix_block_s8(matrix->packing, rows, sums, matrix->bias + c, input, input_stride, weights,
                            depth);
        stw_matrix_store_s8(p, matrix, rows, output_stride, STW_BLOCK_CHANNELS, c, sums, output + c);
        weights += STW_BLOCK_CHANNELS * depth;
    }
    for (int32_t c = blocked; c < channels; c++) {
        sums[0] = stw_matrix_single_s8(matrix->packing, matrix->bias[c], input, weights, depth);
        if (rows == 2) {
            sums[STW_BLOCK_CHANNELS] =
                stw_matrix_single_s8(matrix->packing, matrix->bias[c], input + input_stride, weights, depth);
        }
        stw_matrix_store_s8(p, matrix, rows, output_stride, 1, c, sums, output + c);
        weights += depth;
    }
}

#endif
