/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A dense layer beside a tensor in each vector: fully_connected_f32.h and fully_connected_s8.h, bit for bit.
 *
 *   kept    [batch, output height, output width, kept channel], elements of the output's type
 *   output  [batch, output height, output width, kept channel + made channel], or the made channels first
 *   all others as the kernel alone has them, with an output_gap of the kept channels
 *
 * Order: what is kept goes to its places, its pixels ascending, or with `backward` descending (core/beside.h); then what is made.
 * Overlap: the output may lie over what is kept, at the safe distance that core/beside.h tells, and over nothing else.
 */
#ifndef STOWAGE_KERNELS_FULLY_CONNECTED_BESIDE_H
#define STOWAGE_KERNELS_FULLY_CONNECTED_BESIDE_H

#include <stdint.h>

#include "stowage/core/beside.h"
#include "stowage/core/kernel.h"
#include "stowage/kernels/fully_connected_f32.h"
#include "stowage/kernels/fully_connected_s8.h"

struct stw_fully_connected_beside_f32_params {
    struct stw_fully_connected_f32_params made;
    struct stw_beside beside;
    int32_t backward; /* whether the last pixel is kept first */
};

STW_KERNEL void stw_fully_connected_beside_f32(const struct stw_fully_connected_beside_f32_params *p,
                                               const float *input, const float *weights, const float *bias,
                                               const float *kept, float *output) {
    stw_beside_keep(&p->beside, p->backward, (const uint8_t *)kept, (uint8_t *)output);
    stw_fully_connected_f32(&p->made, input, weights, bias, output + p->beside.made_at);
}

struct stw_fully_connected_beside_s8_params {
    struct stw_fully_connected_s8_params made;
    struct stw_beside beside;
    int32_t backward; /* whether the last pixel is kept first */
};

STW_KERNEL void stw_fully_connected_beside_s8(const struct stw_fully_connected_beside_s8_params *p,
                                              const int8_t *input, const int8_t *weights, const int32_t *bias,
                                              const int32_t *multipliers, const int8_t *shifts,
                                              const int8_t *kept, int8_t *output) {
    stw_beside_keep(&p->beside, p->backward, (const uint8_t *)kept, (uint8_t *)output);
    stw_fully_connected_s8(&p->made, input, weights, bias, multipliers, shifts, output + p->beside.made_at);
}

#endif
