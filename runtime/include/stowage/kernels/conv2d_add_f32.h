/* SPDX-License-Identifier: Apache-2.0 */
/*
 * float32 convolution whose output is added to another tensor while it is made: conv2d_f32.h, then arithmetic_f32.h, bit for bit.
 *
 *   addend   float [batch, output height, output width, output channel]
 *   made     float [2, output channel], scratch
 *   all others as conv2d_f32.h has them, output likewise
 *
 * The parameters are those of the convolution and those of the sum, of which extents and strides are of no meaning.
 *
 * Order: output pixels ascend (conv.backward is 0), in pairs; a pair is made beside the output, then added, its elements ascending.
 * Overlap: the output may lie over the input, at the safe distance of the forward convolution, and over the addend, at a distance
 * of 0: starting where that starts, or below. It may do so over both, also where they are one. It must not lie over the scratch.
 */
#ifndef STOWAGE_KERNELS_CONV2D_ADD_F32_H
#define STOWAGE_KERNELS_CONV2D_ADD_F32_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/kernels/conv2d_f32.h"
#include "stowage/kernels/residual_f32.h"

struct stw_conv2d_add_f32_params {
    struct stw_conv2d_f32_params conv;
    struct stw_add_f32_params add;
};

STW_KERNEL void stw_conv2d_add_f32(const struct stw_conv2d_add_f32_params *p, const float *input,
                                   const float *addend, const float *weights, const float *bias,
                                   float *scratch, float *made, float *output) {
    struct stw_residual_f32 residual = {&p->add, addend, made};

    stw_conv2d_f32_walk(&p->conv, &residual, input, weights, bias, scratch, output);
}

#endif
