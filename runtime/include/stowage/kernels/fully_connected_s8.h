/* SPDX-License-Identifier: Apache-2.0 */
/*
 * int8 dense layer: every input vector times one constant matrix.
 *
 *   input        int8  [row, depth]
 *   weights      int8, those of [channel, depth], symmetric (zero point 0), packed as core/matrix_s8.h says
 *   bias         int32 [channel], less the input's zero point * the sum of the channel's weights
 *   multipliers  int32 [channel] or [1], shifts int8 likewise: see core/requantise.h and core/output_s8.h
 *   output       int8  [row, channel]
 *
 * output = clamp(zero point + requantise(sum over depth of (input - its zero point) * weight + true bias)).
 *
 * Overflow: the compiler has checked that |bias| + 128 * sum |weight| of every channel is below 2^30.
 * Order: rows ascend, or with `backward` descend, `at_once` together (the last may be alone), as core/matrix_s8.h has it.
 * Overlap: the output may lie over the input. The last block of channels reads the rows made together from their begin, when all
 * of their other channels are written: the output must start below the input by the largest lead of what is then written over
 * where the first of them begins. With `backward` the output's end must lie above the input's by as much, counted from the ends
 * and to the first channel of their lowest row. Where there is one block, they are read before they are written.
 */
#ifndef STOWAGE_KERNELS_FULLY_CONNECTED_S8_H
#define STOWAGE_KERNELS_FULLY_CONNECTED_S8_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/matrix_s8.h"
#include "stowage/core/output_s8.h"

struct stw_fully_connected_s8_params {
    int32_t rows;
    int32_t depth;
    int32_t channels;
    int32_t output_gap; /* between an output vector and the next, where these are part of wider ones */
    int32_t backward;   /* whether the last row is made first */
    int32_t at_once;    /* rows that are made together, 1 or 2: what the core has registers for */
    int32_t packing;    /* of the weights: what the core multiplies best, see core/matrix_s8.h */
    struct stw_output_s8 output;
};

STW_KERNEL void stw_fully_connected_s8(const struct stw_fully_connected_s8_params *p, const int8_t *input,
                                       const int8_t *weights, const int32_t *bias, const int32_t *multipliers,
                                       const int8_t *shifts, int8_t *output) {
    const struct stw_matrix_s8 matrix = {weights, bias, multipliers, shifts, p->packing};
    const int32_t input_step = p->backward ? -p->depth : p->depth;
    const int32_t vector = p->channels + p->output_gap;
    const int32_t output_step = p->backward ? -vector : vector;
    int32_t row = p->backward ? p->rows - 1 : 0;

    for (int32_t blocks = p->rows / p->at_once; blocks > 0; blocks--) {
        stw_matrix_rows_s8(&p->output, &matrix, p->at_once, p->depth, p->channels, input + row * p->depth,
                           input_step, output + row * vector, output_step);
        row += p->backward ? -p->at_once : p->at_once;
    }
    if (p->rows % p->at_once != 0) {
        stw_matrix_rows_s8(&p->output, &matrix, 1, p->depth, p->channels, input + row * p->depth, input_step,
                           output + row * vector, output_step);
    }
}

#endif
