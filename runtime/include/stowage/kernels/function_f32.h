/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Functions of one float, element by element, beside the usual activations (activation_f32.h): stw_apply_<function>_f32.
 *
 *   neg abs sign reciprocal            exact, or one division
 *   exp log sqrt erf sin cos           errors as in core/math.h, logarithm.h, round.h, erf.h and angle.h
 *   tan asin acos atan                 errors as in core/angle.h and inverse_angle.h
 *   sinh cosh asinh acosh atanh        errors as in core/hyperbolic.h
 *   floor ceil round                   exact
 *   elu         scale x above 0, else scale alpha (e^x - 1)
 *   celu        x above 0, else alpha (e^(x / alpha) - 1)
 *   softplus    log(1 + e^x)
 *   softsign    x / (1 + |x|)
 *   thresholded_relu, shrink           x (or x -+ bias) beyond the threshold, else 0
 *   gelu        x / 2 (1 + erf(x / sqrt 2))
 *   gelu_tanh   x / 2 (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3)))
 *   mish        x tanh(log(1 + e^x))
 *   swish       x / (1 + e^(-alpha x))
 *
 * Input and output have `elements` (at least 1) numbers each. In place: walks forward and reads an element
 * before it writes it; safe distance 0 bytes.
 */
#ifndef STOWAGE_KERNELS_FUNCTION_F32_H
#define STOWAGE_KERNELS_FUNCTION_F32_H

#include <stdint.h>

#include "stowage/core/angle.h"
#include "stowage/core/erf.h"
#include "stowage/core/hyperbolic.h"
#include "stowage/core/inverse_angle.h"
#include "stowage/core/kernel.h"
#include "stowage/core/logarithm.h"
#include "stowage/core/math.h"
#include "stowage/core/round.h"

/* Defines stw_apply_<name>_f32; `fields` are its parameters beside `elements`, `result` is made of p and x. */
#define STW_FUNCTION_KERNEL_F32(name, fields, result)                                                        \
    struct stw_apply_##name##_f32_params {                                                                   \
        int32_t elements;                                                                                    \
        fields                                                                                               \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void stw_apply_##name##_f32(const struct stw_apply_##name##_f32_params *p,                    \
                                           const float *input, float *output) {                              \
        for (int32_t i = 0; i < p->elements; ++i) {                                                          \
            const float x = input[i];                                                                        \
                                                                                                             \
            output[i] = result;                                                                              \
        }                                                                                                    \
    }

#define STW_NO_FIELDS

/* All bits where x > limit, else none. */
STW_KERNEL int32_t stw_above_f32(float x, float limit) {
    return -(int32_t)(x > limit);
}

STW_KERNEL float stw_elu_f32(float x, float alpha) {
    const float bent = alpha * stw_expm1_f32(stw_clamp_f32(x, -STW_INFINITY, 0.0f));

    return stw_choose_f32(stw_above_f32(x, 0.0f), x, bent);
}

STW_KERNEL float stw_celu_f32(float x, float alpha) {
    const float bent = alpha * stw_expm1_f32(stw_clamp_f32(x, -STW_INFINITY, 0.0f) / alpha);

    return stw_choose_f32(stw_above_f32(x, 0.0f), x, bent);
}

STW_KERNEL float stw_softplus_f32(float x) {
    return stw_clamp_f32(x, 0.0f, STW_INFINITY) + stw_log1p_f32(stw_exp_f32(-stw_size_f32(x)));
}

STW_KERNEL float stw_shrink_f32(float x, float bias, float threshold) {
    const float below = stw_choose_f32(stw_above_f32(-threshold, x), x + bias, 0.0f);

    return stw_choose_f32(stw_above_f32(x, threshold), x - bias, below);
}

STW_KERNEL float stw_gelu_tanh_f32(float x) {
    return 0.5f * x * (1.0f + stw_tanh_f32(0.797884561f * (x + 0.044715f * x * x * x)));
}

STW_FUNCTION_KERNEL_F32(neg, STW_NO_FIELDS, -x)
STW_FUNCTION_KERNEL_F32(abs, STW_NO_FIELDS, stw_size_f32(x))
STW_FUNCTION_KERNEL_F32(sign, STW_NO_FIELDS, (float)((x > 0.0f) - (x < 0.0f)))
STW_FUNCTION_KERNEL_F32(reciprocal, STW_NO_FIELDS, 1.0f / x)
STW_FUNCTION_KERNEL_F32(exp, STW_NO_FIELDS, stw_exp_f32(x))
STW_FUNCTION_KERNEL_F32(log, STW_NO_FIELDS, stw_log_f32(x))
STW_FUNCTION_KERNEL_F32(sqrt, STW_NO_FIELDS, stw_sqrt_f32(x))
STW_FUNCTION_KERNEL_F32(erf, STW_NO_FIELDS, stw_erf_f32(x))
STW_FUNCTION_KERNEL_F32(sin, STW_NO_FIELDS, stw_sin_f32(x))
STW_FUNCTION_KERNEL_F32(cos, STW_NO_FIELDS, stw_cos_f32(x))
STW_FUNCTION_KERNEL_F32(tan, STW_NO_FIELDS, stw_tan_f32(x))
STW_FUNCTION_KERNEL_F32(asin, STW_NO_FIELDS, stw_asin_f32(x))
STW_FUNCTION_KERNEL_F32(acos, STW_NO_FIELDS, stw_acos_f32(x))
STW_FUNCTION_KERNEL_F32(atan, STW_NO_FIELDS, stw_atan_f32(x))
STW_FUNCTION_KERNEL_F32(sinh, STW_NO_FIELDS, stw_sinh_f32(x))
STW_FUNCTION_KERNEL_F32(cosh, STW_NO_FIELDS, stw_cosh_f32(x))
STW_FUNCTION_KERNEL_F32(asinh, STW_NO_FIELDS, stw_asinh_f32(x))
STW_FUNCTION_KERNEL_F32(acosh, STW_NO_FIELDS, stw_acosh_f32(x))
STW_FUNCTION_KERNEL_F32(atanh, STW_NO_FIELDS, stw_atanh_f32(x))
STW_FUNCTION_KERNEL_F32(floor, STW_NO_FIELDS, stw_floor_f32(x))
STW_FUNCTION_KERNEL_F32(ceil, STW_NO_FIELDS, stw_ceil_f32(x))
STW_FUNCTION_KERNEL_F32(round, STW_NO_FIELDS, stw_nearest_f32(x))
STW_FUNCTION_KERNEL_F32(elu, float alpha; float scale;, p->scale *stw_elu_f32(x, p->alpha))
STW_FUNCTION_KERNEL_F32(celu, float alpha;, stw_celu_f32(x, p->alpha))
STW_FUNCTION_KERNEL_F32(softplus, STW_NO_FIELDS, stw_softplus_f32(x))
STW_FUNCTION_KERNEL_F32(softsign, STW_NO_FIELDS, x / (1.0f + stw_size_f32(x)))
STW_FUNCTION_KERNEL_F32(thresholded_relu, float alpha;, stw_choose_f32(stw_above_f32(x, p->alpha), x, 0.0f))
STW_FUNCTION_KERNEL_F32(shrink, float bias; float threshold;, stw_shrink_f32(x, p->bias, p->threshold))
STW_FUNCTION_KERNEL_F32(gelu, STW_NO_FIELDS, 0.5f * x * (1.0f + stw_erf_f32(x * 0.707106781f)))
STW_FUNCTION_KERNEL_F32(gelu_tanh, STW_NO_FIELDS, stw_gelu_tanh_f32(x))
STW_FUNCTION_KERNEL_F32(mish, STW_NO_FIELDS, x *stw_tanh_f32(stw_softplus_f32(x)))
STW_FUNCTION_KERNEL_F32(swish, float alpha;, x *stw_sigmoid_f32(p->alpha *x))

#endif /* STOWAGE_KERNELS_FUNCTION_F32_H */
