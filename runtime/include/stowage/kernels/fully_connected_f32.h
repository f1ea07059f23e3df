/* SPDX-License-Identifier: Apache-2.0 */
/*
 * float32 dense layer: every input vector times one constant matrix.
 *
 *   input    float [row, depth]
 *   weights  float, those of [channel, depth], packed as core/matrix_f32.h says
 *   bias     float [channel]
 *   output   float [row, channel]
 *
 * output = clamp(bias + sum over ascending depth of input * weight), rounded at every step.
 *
 * Order: rows ascend, or with `backward` descend, in pairs (the last may be alone); in a pair as core/matrix_f32.h has it.
 * Overlap: the output may lie over the input. The last block of a pair's channels reads both rows from their begin, when all of
 * their other channels are written: the output must start below the input by the largest lead of what is then written over where
 * the pair begins. With `backward` the output's end must lie above the input's by as much, counted from the ends and to the
 * first channel of the pair's lower row. Where there is one block, a pair is read before it is written.
 */
#ifndef STOWAGE_KERNELS_FULLY_CONNECTED_F32_H
#define STOWAGE_KERNELS_FULLY_CONNECTED_F32_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/matrix_f32.h"

struct stw_fully_connected_f32_params {
    int32_t rows;
    int32_t depth;
    int32_t channels;
    int32_t output_gap; /* between an output vector and the next, where these are part of wider ones */
    int32_t backward;   /* whether the last row is made first */
    struct stw_output_f32 output;
};

STW_KERNEL void stw_fully_connected_f32(const struct stw_fully_connected_f32_params *p, const float *input,
                                        const float *weights, const float *bias, float *output) {
    const struct stw_matrix_f32 matrix = {weights, bias};
    const int32_t input_step = p->backward ? -p->depth : p->depth;
    const int32_t vector = p->channels + p->output_gap;
    const int32_t output_step = p->backward ? -vector : vector;
    int32_t row = p->backward ? p->rows - 1 : 0;

    for (int32_t blocks = p->rows / 2; blocks > 0; blocks--) {
        stw_matrix_rows_f32(&p->output, &matrix, 2, p->depth, p->channels, input + row * p->depth, input_step,
                            output + row * vector, output_step);
        row += p->backward ? -2 : 2;
    }
    if (p->rows % 2 != 0) {
        stw_matrix_rows_f32(&p->output, &matrix, 1, p->depth, p->channels, input + row * p->depth, input_step,
                            output + row * vector, output_step);
    }
}

#endif
