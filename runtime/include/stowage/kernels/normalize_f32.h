/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Groups of floats brought to mean 0 and variance 1: (x - mean) / sqrt(variance + epsilon); where `centred` is 0,
 * x / sqrt(mean of squares + epsilon). A group is what a reduction of the same shape sums up (reduce_mean.h).
 * The variance is summed from differences to the mean, so that nothing cancels.
 *
 * Input and output have one shape. In place where the elements of a group are consecutive: walks forward and has read a
 * group for its mean before it writes any of it, and each element before it writes that; safe distance 0 bytes.
 * Else they must not overlap.
 */
#ifndef STOWAGE_KERNELS_NORMALIZE_F32_H
#define STOWAGE_KERNELS_NORMALIZE_F32_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/round.h"
#include "stowage/kernels/reduce_mean.h"

struct stw_normalize_f32_params {
    STW_REDUCED_SHAPE
    float epsilon;
    int32_t centred; /* 0 or 1 */
};

/* Writes x - mean of one group and returns the sum of squares of that. */
STW_KERNEL float stw_centre_group_f32(const struct stw_normalize_f32_params *p, const float *from, float *to,
                                      float mean) {
    const int32_t *extents = p->reduced_extents;
    float sum = 0.0f;

    for (int32_t i = 0; i < extents[0]; ++i) {
        for (int32_t j = 0; j < extents[1]; ++j) {
            const int32_t row = i * p->reduced_strides[0] + j * p->reduced_strides[1];

            for (int32_t k = 0; k < extents[2]; ++k) {
                const float centred = from[row + k * p->reduced_strides[2]] - mean;

                to[row + k * p->reduced_strides[2]] = centred;
                sum += centred * centred;
            }
        }
    }
    return sum;
}

STW_KERNEL void stw_divide_group_f32(const struct stw_normalize_f32_params *p, float *group, float divisor) {
    const int32_t *extents = p->reduced_extents;

    for (int32_t i = 0; i < extents[0]; ++i) {
        for (int32_t j = 0; j < extents[1]; ++j) {
            float *row = group + (i * p->reduced_strides[0] + j * p->reduced_strides[1]);

            for (int32_t k = 0; k < extents[2]; ++k) {
                row[k * p->reduced_strides[2]] /= divisor;
            }
        }
    }
}

STW_KERNEL void stw_normalize_f32(const struct stw_normalize_f32_params *p, const float *input,
                                  float *output) {
    const float count = (float)p->count;
    struct stw_walk walk = {{0}};

    do {
        for (int32_t i = 0; i < p->extents[STW_AXES - 1]; ++i) {
            const int32_t first = stw_walk_offset(&walk, p->strides) + i * p->strides[STW_AXES - 1];
            const float sum =
                p->centred ? stw_sum_over_axes_f32(p->reduced_extents, p->reduced_strides, input + first)
                           : 0.0f;
            const float squares = stw_centre_group_f32(p, input + first, output + first, sum / count);

            stw_divide_group_f32(p, output + first, stw_sqrt_f32(squares / count + p->epsilon));
        }
    } while (stw_walk_next(&walk, p->extents));
}

#endif /* STOWAGE_KERNELS_NORMALIZE_F32_H */
