/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Determinants of square matrices: input [count, order, order] -> output [count].
 *
 * Each matrix is copied to `scratch` [order, order] and made triangular, the largest element of what is left of a
 * column being the pivot. Rows change places whether they have to or not: the instructions are always the same.
 *
 * Input and output must not overlap.
 */
#ifndef STOWAGE_KERNELS_DET_F32_H
#define STOWAGE_KERNELS_DET_F32_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/math.h"

struct stw_det_f32_params {
    int32_t count;
    int32_t order;
};

/* The row, from `step` on, whose element in the column `step` is the largest; magnitudes are in order as bits. */
STW_KERNEL int32_t stw_pivot_row_f32(const float *matrix, int32_t order, int32_t step) {
    int32_t best = 0;
    int32_t best_row = step;

    for (int32_t row = step; row < order; ++row) {
        const int32_t magnitude = stw_bits_f32(matrix[row * order + step]) & INT32_MAX;
        const int32_t larger = stw_mask_below(best, magnitude);

        best ^= (best ^ magnitude) & larger;
        best_row ^= (best_row ^ row) & larger;
    }
    return best_row;
}

STW_KERNEL void stw_swap_rows_f32(float *a, float *b, int32_t order) {
    for (int32_t i = 0; i < order; ++i) {
        const float kept = a[i];

        a[i] = b[i];
        b[i] = kept;
    }
}

/* Takes the row `step` off those below it, so often that their column `step` vanishes. */
STW_KERNEL void stw_eliminate_f32(float *matrix, int32_t order, int32_t step) {
    const float *top = matrix + step * order;
    const int32_t vanishes = ~stw_mask_below(0, stw_bits_f32(top[step]) & INT32_MAX);
    const float divisor = stw_choose_f32(vanishes, 1.0f, top[step]);

    for (int32_t row = step + 1; row < order; ++row) {
        float *low = matrix + row * order;
        const float factor = low[step] / divisor;

        for (int32_t i = step; i < order; ++i) {
            low[i] -= factor * top[i];
        }
    }
}

STW_KERNEL void stw_det_f32(const struct stw_det_f32_params *p, const float *input, float *scratch,
                            float *output) {
    for (int32_t k = 0; k < p->count; ++k) {
        float product = 1.0f;

        for (int32_t i = 0; i < p->order * p->order; ++i) {
            scratch[i] = input[k * p->order * p->order + i];
        }
        for (int32_t step = 0; step < p->order; ++step) {
            const int32_t pivot = stw_pivot_row_f32(scratch, p->order, step);
            const int32_t stays = ~stw_mask_below(step, pivot);

            stw_swap_rows_f32(scratch + step * p->order, scratch + pivot * p->order, p->order);
            stw_eliminate_f32(scratch, p->order, step);
            product *= stw_choose_f32(stays, 1.0f, -1.0f) * scratch[step * p->order + step];
        }
        output[k] = product;
    }
}

#endif /* STOWAGE_KERNELS_DET_F32_H */
