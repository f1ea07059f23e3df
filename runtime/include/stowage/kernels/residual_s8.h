/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A residual of int8 layers: a tensor that is added to a layer's output while it is made, pixel by pixel, so that the layer's own
 * output never is in memory as a whole.
 */
#ifndef STOWAGE_KERNELS_RESIDUAL_S8_H
#define STOWAGE_KERNELS_RESIDUAL_S8_H

#include <stddef.h>
#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/kernels/add_s8.h"
#include "stowage/kernels/add_tflite.h"

/*
 * How and what is added. The layer's own pixels are the sum's first operand.
 *
 *   addend  int8 [pixel, channel], as the output
 *   made    int8 [pixel made at once, channel], the layer's own pixels until they are added
 */
struct stw_residual_s8 {
    const struct stw_add_s8_params *add;               /* or NULL */
    const struct stw_add_tflite_s8_params *add_tflite; /* where add is NULL */
    const int8_t *addend;
    int8_t *made;
};

STW_KERNEL int8_t stw_residual_s8_element(const struct stw_residual_s8 *residual, int8_t made,
                                          int8_t addend) {
    return residual->add != NULL ? stw_add_element_s8(residual->add, made, addend)
                                 : stw_add_tflite_element_s8(residual->add_tflite, made, addend);
}

/*
 * `pixels` pixels of the output, from element `at` on, of those that are made. They ascend, and so do their elements: each element
 * of the addend is read just before that of the output is written.
 */
STW_KERNEL void stw_residual_s8_add(const struct stw_residual_s8 *residual, int32_t pixels, int32_t channels,
                                    int32_t at, int8_t *output) {
    for (int32_t i = 0; i < pixels * channels; i++) {
        output[at + i] = stw_residual_s8_element(residual, residual->made[i], residual->addend[at + i]);
    }
}

#endif
