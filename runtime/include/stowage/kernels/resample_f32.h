/* SPDX-License-Identifier: Apache-2.0 */
/*
 * An axis resampled by tabulated filters: input [outer, extent, inner] -> output [outer, size, inner].
 *
 *     output[n, o, i] = sum over k < taps of weights[o * taps + k] * input[n, places[o * taps + k], i]
 *
 *   places   int32 [size, taps], each 0 … extent - 1
 *   weights  float [size, taps]
 *
 * Sums start from the first product and are rounded at every step. Nothing may overlap.
 */
#ifndef STOWAGE_KERNELS_RESAMPLE_F32_H
#define STOWAGE_KERNELS_RESAMPLE_F32_H

#include <stdint.h>

#include "stowage/core/kernel.h"

struct stw_resample_f32_params {
    int32_t outer;
    int32_t extent;
    int32_t inner;
    int32_t size;
    int32_t taps; /* at least 1 */
};

/* One output element from the column of the input that begins at `column`. */
STW_KERNEL float stw_resample_sum_f32(const struct stw_resample_f32_params *p, const float *column,
                                      const int32_t *places, const float *weights) {
    float sum = weights[0] * column[places[0] * p->inner];

    for (int32_t k = 1; k < p->taps; ++k) {
        sum += weights[k] * column[places[k] * p->inner];
    }
    return sum;
}

STW_KERNEL void stw_resample_f32(const struct stw_resample_f32_params *p, const float *input,
                                 const int32_t *places, const float *weights, float *output) {
    for (int32_t n = 0; n < p->outer; ++n) {
        for (int32_t o = 0; o < p->size; ++o) {
            for (int32_t i = 0; i < p->inner; ++i) {
                *output++ = stw_resample_sum_f32(p, input + i, places + o * p->taps, weights + o * p->taps);
            }
        }
        input += p->extent * p->inner;
    }
}

#endif /* STOWAGE_KERNELS_RESAMPLE_F32_H */
