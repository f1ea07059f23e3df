/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Average pooling beside a tensor in each pixel: average_pool2d_f32.h and average_pool2d_quantised.h, bit for bit.
 *
 *   kept    [batch, output height, output width, kept channel], elements of the output's type
 *   output  [batch, output height, output width, kept channel + made channel], or the made channels first
 *   all others as the kernel alone has them, with an output_gap of the kept channels
 *
 * Order: what is kept goes to its places, its pixels ascending, or with `backward` descending (core/beside.h); then what is made.
 * Overlap: the output may lie over what is kept, at the safe distance that core/beside.h tells, and over nothing else.
 */
#ifndef STOWAGE_KERNELS_AVERAGE_POOL2D_BESIDE_H
#define STOWAGE_KERNELS_AVERAGE_POOL2D_BESIDE_H

#include <stdint.h>

#include "stowage/core/beside.h"
#include "stowage/core/kernel.h"
#include "stowage/kernels/average_pool2d_f32.h"
#include "stowage/kernels/average_pool2d_quantised.h"

struct stw_average_pool2d_beside_f32_params {
    struct stw_average_pool2d_f32_params made;
    struct stw_beside beside;
    int32_t backward; /* whether the last pixel is kept first */
};

STW_KERNEL void stw_average_pool2d_beside_f32(const struct stw_average_pool2d_beside_f32_params *p,
                                              const float *input, const float *kept, float *output) {
    stw_beside_keep(&p->beside, p->backward, (const uint8_t *)kept, (uint8_t *)output);
    stw_average_pool2d_f32(&p->made, input, output + p->beside.made_at);
}

struct stw_average_pool2d_beside_s8_params {
    struct stw_average_pool2d_s8_params made;
    struct stw_beside beside;
    int32_t backward; /* whether the last pixel is kept first */
};

STW_KERNEL void stw_average_pool2d_beside_s8(const struct stw_average_pool2d_beside_s8_params *p,
                                             const int8_t *input, const int32_t *multipliers,
                                             const int8_t *shifts, const int8_t *kept, int8_t *output) {
    stw_beside_keep(&p->beside, p->backward, (const uint8_t *)kept, (uint8_t *)output);
    stw_average_pool2d_s8(&p->made, input, multipliers, shifts, output + p->beside.made_at);
}

#endif
