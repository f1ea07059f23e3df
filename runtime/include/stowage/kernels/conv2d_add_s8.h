/* SPDX-License-Identifier: Apache-2.0 */
/*
 * int8 convolution whose output is added to another tensor while it is made: conv2d_s8.h, then add_s8.h or add_tflite.h, bit for bit.
 *
 *   addend   int8  [batch, output height, output width, output channel]
 *   made     int8  [conv.at_once, output channel], scratch
 *   all others as conv2d_s8.h has them, output likewise
 *
 * The parameters are those of the convolution and those of the sum, of which extents and strides are of no meaning.
 *
 * Order: output pixels ascend (conv.backward is 0), conv.at_once together: made beside the output, then added, elements ascending.
 * Overlap: the output may lie over the input, at the safe distance of the forward convolution, and over the addend, at a distance
 * of 0: starting where that starts, or below. It may do so over both, also where they are one. It must not lie over the scratch.
 */
#ifndef STOWAGE_KERNELS_CONV2D_ADD_S8_H
#define STOWAGE_KERNELS_CONV2D_ADD_S8_H

#include <stddef.h>
#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/kernels/conv2d_s8.h"
#include "stowage/kernels/residual_s8.h"

struct stw_conv2d_add_s8_params {
    struct stw_conv2d_s8_params conv;
    struct stw_add_s8_params add;
};

STW_KERNEL void stw_conv2d_add_s8(const struct stw_conv2d_add_s8_params *p, const int8_t *input,
                                  const int8_t *addend, const int8_t *weights, const int32_t *bias,
                                  const int32_t *multipliers, const int8_t *shifts, int8_t *scratch,
                                  int8_t *made, int8_t *output) {
    struct stw_residual_s8 residual = {&p->add, NULL, addend, made};

    stw_conv2d_s8_walk(&p->conv, &residual, input, weights, bias, multipliers, shifts, scratch, output);
}

struct stw_conv2d_add_tflite_s8_params {
    struct stw_conv2d_s8_params conv;
    struct stw_add_tflite_s8_params add;
};

STW_KERNEL void stw_conv2d_add_tflite_s8(const struct stw_conv2d_add_tflite_s8_params *p, const int8_t *input,
                                         const int8_t *addend, const int8_t *weights, const int32_t *bias,
                                         const int32_t *multipliers, const int8_t *shifts, int8_t *scratch,
                                         int8_t *made, int8_t *output) {
    struct stw_residual_s8 residual = {NULL, &p->add, addend, made};

    stw_conv2d_s8_walk(&p->conv, &residual, input, weights, bias, multipliers, shifts, scratch, output);
}

#endif
