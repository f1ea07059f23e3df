/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Activations of float tensors of any shape, element by element. A NaN counts as an infinity of its sign.
 *
 *   kernel                         output
 *   stw_activate_relu_f32          x where x > 0, else 0
 *   stw_activate_clip_f32          min(max(x, lowest), highest)
 *   stw_activate_leaky_relu_f32    x where x >= 0, else alpha * x
 *   stw_activate_hard_sigmoid_f32  min(max(alpha * x + beta, 0), 1)
 *   stw_activate_hard_swish_f32    x * min(max(x / 6 + 1/2, 0), 1)
 *   stw_activate_sigmoid_f32       1 / (1 + e^-x), error as in core/math.h
 *   stw_activate_tanh_f32          hyperbolic tangent, error as in core/math.h
 *
 * Input and output have `elements` (at least 1) numbers each. In place: walks forward and reads an element
 * before it writes it; safe distance 0 bytes.
 */
#ifndef STOWAGE_KERNELS_ACTIVATION_F32_H
#define STOWAGE_KERNELS_ACTIVATION_F32_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/math.h"

/* Defines `kernel`, whose elements are function(p, x): an inline function of parameters and one element. */
#define STW_ACTIVATION_KERNEL_F32(kernel, function)                                                          \
    STW_KERNEL void kernel(const struct kernel##_params *p, const float *input, float *output) {             \
        for (int32_t i = 0; i < p->elements; ++i) {                                                          \
            output[i] = function(p, input[i]);                                                               \
        }                                                                                                    \
    }

struct stw_activate_relu_f32_params {
    int32_t elements;
};

STW_KERNEL float stw_relu_element_f32(const struct stw_activate_relu_f32_params *p, float x) {
    (void)p;
    return stw_clamp_f32(x, 0.0f, STW_INFINITY);
}

STW_ACTIVATION_KERNEL_F32(stw_activate_relu_f32, stw_relu_element_f32)

struct stw_activate_clip_f32_params {
    int32_t elements;
    float lowest;
    float highest;
};

STW_KERNEL float stw_clip_element_f32(const struct stw_activate_clip_f32_params *p, float x) {
    return stw_clamp_f32(x, p->lowest, p->highest);
}

STW_ACTIVATION_KERNEL_F32(stw_activate_clip_f32, stw_clip_element_f32)

struct stw_activate_leaky_relu_f32_params {
    int32_t elements;
    float alpha;
};

STW_KERNEL float stw_leaky_relu_element_f32(const struct stw_activate_leaky_relu_f32_params *p, float x) {
    return x * stw_by_sign_f32(x, p->alpha, 1.0f);
}

STW_ACTIVATION_KERNEL_F32(stw_activate_leaky_relu_f32, stw_leaky_relu_element_f32)

struct stw_activate_hard_sigmoid_f32_params {
    int32_t elements;
    float alpha;
    float beta;
};

STW_KERNEL float stw_hard_sigmoid_element_f32(const struct stw_activate_hard_sigmoid_f32_params *p, float x) {
    return stw_clamp_f32(p->alpha * x + p->beta, 0.0f, 1.0f);
}

STW_ACTIVATION_KERNEL_F32(stw_activate_hard_sigmoid_f32, stw_hard_sigmoid_element_f32)

struct stw_activate_hard_swish_f32_params {
    int32_t elements;
};

STW_KERNEL float stw_hard_swish_element_f32(const struct stw_activate_hard_swish_f32_params *p, float x) {
    (void)p;
    return x * stw_clamp_f32(x * (1.0f / 6.0f) + 0.5f, 0.0f, 1.0f);
}

STW_ACTIVATION_KERNEL_F32(stw_activate_hard_swish_f32, stw_hard_swish_element_f32)

struct stw_activate_sigmoid_f32_params {
    int32_t elements;
};

STW_KERNEL float stw_sigmoid_element_f32(const struct stw_activate_sigmoid_f32_params *p, float x) {
    (void)p;
    return stw_sigmoid_f32(x);
}

STW_ACTIVATION_KERNEL_F32(stw_activate_sigmoid_f32, stw_sigmoid_element_f32)

struct stw_activate_tanh_f32_params {
    int32_t elements;
};

STW_KERNEL float stw_tanh_element_f32(const struct stw_activate_tanh_f32_params *p, float x) {
    (void)p;
    return stw_tanh_f32(x);
}

STW_ACTIVATION_KERNEL_F32(stw_activate_tanh_f32, stw_tanh_element_f32)

#endif /* STOWAGE_KERNELS_ACTIVATION_F32_H */
