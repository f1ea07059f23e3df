/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Numbers put at places among zeros: input float [count], indices int64 [count] -> output float [elements].
 *
 * Negative indices count from the end, others outside of the output are taken for the nearest inside; of two for one place the
 * later stays. Nothing may overlap.
 */
#ifndef STOWAGE_KERNELS_UNPOOL_F32_H
#define STOWAGE_KERNELS_UNPOOL_F32_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/kernels/index.h"

struct stw_unpool_f32_params {
    int32_t count;
    int32_t elements;
};

STW_KERNEL void stw_unpool_f32(const struct stw_unpool_f32_params *p, const float *input,
                               const int64_t *indices, float *output) {
    for (int32_t i = 0; i < p->elements; ++i) {
        output[i] = 0.0f;
    }
    for (int32_t i = 0; i < p->count; ++i) {
        output[stw_place_s64(indices[i], p->elements)] = input[i];
    }
}

#endif /* STOWAGE_KERNELS_UNPOOL_F32_H */
