/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A residual of float layers: a tensor that is added to a layer's output while it is made, pixel by pixel, so that the layer's own
 * output never is in memory as a whole.
 */
#ifndef STOWAGE_KERNELS_RESIDUAL_F32_H
#define STOWAGE_KERNELS_RESIDUAL_F32_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/kernels/arithmetic_f32.h"

/*
 * How and what is added. The layer's own pixels are the sum's first operand.
 *
 *   addend  float [pixel, channel], as the output
 *   made    float [2, channel], the layer's own pixels until they are added
 */
struct stw_residual_f32 {
    const struct stw_add_f32_params *add;
    const float *addend;
    float *made;
};

/*
 * `pixels` pixels of the output, from element `at` on, of those that are made. They ascend, and so do their elements: each element
 * of the addend is read just before that of the output is written.
 */
STW_KERNEL void stw_residual_f32_add(const struct stw_residual_f32 *residual, int32_t pixels,
                                     int32_t channels, int32_t at, float *output) {
    for (int32_t i = 0; i < pixels * channels; i++) {
        output[at + i] = stw_add_element_f32(residual->add, residual->made[i], residual->addend[at + i]);
    }
}

#endif
