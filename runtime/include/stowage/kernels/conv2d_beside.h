/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Convolution beside a tensor in each pixel, bit for bit what conv2d_f32.h and conv2d_s8.h make alone.
 *
 *   kept    [batch, output height, output width, kept channel], elements of the output's type
 *   output  [batch, output height, output width, kept channel + made channel], or the made channels first
 *   all others as the kernel alone has them, with an output_gap of the kept channels
 *
 * Order: what is kept goes to its places, its pixels ascending, or with `backward` descending (core/beside.h); then what is made.
 * Overlap: the output may lie over what is kept, at the safe distance that core/beside.h tells, and over nothing else.
 */
#ifndef STOWAGE_KERNELS_CONV2D_BESIDE_H
#define STOWAGE_KERNELS_CONV2D_BESIDE_H

#include <stdint.h>

#include "stowage/core/beside.h"
#include "stowage/core/kernel.h"
#include "stowage/kernels/conv2d_f32.h"
#include "stowage/kernels/conv2d_s8.h"

struct stw_conv2d_beside_f32_params {
    struct stw_conv2d_f32_params made;
    struct stw_beside beside;
    int32_t backward; /* whether the last pixel is kept first */
};

STW_KERNEL void stw_conv2d_beside_f32(const struct stw_conv2d_beside_f32_params *p, const float *input,
                                      const float *weights, const float *bias, float *scratch,
                                      const float *kept, float *output) {
    stw_beside_keep(&p->beside, p->backward, (const uint8_t *)kept, (uint8_t *)output);
    stw_conv2d_f32(&p->made, input, weights, bias, scratch, output + p->beside.made_at);
}

struct stw_conv2d_beside_s8_params {
    struct stw_conv2d_s8_params made;
    struct stw_beside beside;
    int32_t backward; /* whether the last pixel is kept first */
};

STW_KERNEL void stw_conv2d_beside_s8(const struct stw_conv2d_beside_s8_params *p, const int8_t *input,
                                     const int8_t *weights, const int32_t *bias, const int32_t *multipliers,
                                     const int8_t *shifts, int8_t *scratch, const int8_t *kept,
                                     int8_t *output) {
    stw_beside_keep(&p->beside, p->backward, (const uint8_t *)kept, (uint8_t *)output);
    stw_conv2d_s8(&p->made, input, weights, bias, multipliers, shifts, scratch, output + p->beside.made_at);
}

#endif
