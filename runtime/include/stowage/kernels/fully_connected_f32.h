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
 * Order: rows ascend in pairs (the last may be alone); in a pair as core/matrix_f32.h has it.
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
    struct stw_output_f32 output;
};

STW_KERNEL void stw_fully_connected_f32(const struct stw_fully_connected_f32_params *p, const float *input,
                                        const float *weights, const float *bias, float *output) {
    const struct stw_matrix_f32 matrix = {weights, bias};

    for (int32_t r = p->rows / 2; r > 0; r--) {
        stw_matrix_rows_f32(&p->output, &matrix, 2, p->depth, p->channels, input, p->depth, output,
                            p->channels);
        input += 2 * p->depth;
        output += 2 * p->channels;
    }
    if (p->rows % 2 != 0) {
        stw_matrix_rows_f32(&p->output, &matrix, 1, p->depth, p->channels, input, p->depth, output,
                            p->channels);
    }
}

#endif
