/* SPDX-License-Identifier: Apache-2.0 */
/*
 * float32 transposed convolution over a volume, an image or a signal; weights and bias may be computed at run time.
 *
 *   input    float [batch, depth, height, width, channel]
 *   weights  float [output channel, kernel depth, kernel height, kernel width, channel of the group]
 *   bias     float [output channel]
 *   output   float [batch, output depth, output height, output width, output channel]
 *
 * Along each axis output place o takes from input place (o + pad - k * dilation) / stride, for those taps k for which this
 * is whole and inside of the input. Its pixel is the bias plus, tap by tap in the order of the weights, the products of
 * input pixels and weights, rounded at every step and then clamped. `volume` has strides, dilations and pads of the transposed convolution.
 * Nothing may overlap.
 */
#ifndef STOWAGE_KERNELS_CONV_TRANSPOSE_F32_H
#define STOWAGE_KERNELS_CONV_TRANSPOSE_F32_H

#include <stdint.h>

#include "stowage/core/dot_f32.h"
#include "stowage/core/kernel.h"
#include "stowage/core/matrix_f32.h"
#include "stowage/core/volume.h"

struct stw_conv_transpose_f32_params {
    struct stw_volume volume;
    int32_t groups; /* divides both numbers of channels */
    struct stw_output_f32 output;
};

/* The input place that tap k of output place o takes from, or -1 where there is none. */
STW_KERNEL int32_t stw_spread_from(const struct stw_volume *v, int axis, int32_t o, int32_t k) {
    const int32_t place = o + v->pad[axis] - k * v->dilation[axis];
    const int32_t from = place / v->stride[axis];

    return place < 0 || from * v->stride[axis] != place || from >= v->input[axis] ? -1 : from;
}

/* Adds the products of one tap, whose weights begin at `weights`, to all channels of an output pixel. */
STW_KERNEL void stw_conv_transpose_f32_tap(const struct stw_conv_transpose_f32_params *p, const float *pixel,
                                           const float *weights, float *output) {
    const struct stw_volume *v = &p->volume;
    const int32_t taken = v->input_channels / p->groups;
    const int32_t made = v->output_channels / p->groups;
    const int32_t filter = v->kernel[0] * v->kernel[1] * v->kernel[2] * taken;

    for (int32_t o = 0; o < v->output_channels; ++o) {
        output[o] = stw_dot_1x1_f32(output[o], pixel + o / made * taken, weights + o * filter, taken);
    }
}

/* Adds all taps of output pixel (oz, oy, ox). */
STW_KERNEL void stw_conv_transpose_f32_pixel(const struct stw_conv_transpose_f32_params *p,
                                             const float *input, const float *weights, int32_t oz, int32_t oy,
                                             int32_t ox, float *output) {
    const struct stw_volume *v = &p->volume;
    const int32_t taken = v->input_channels / p->groups;

    for (int32_t k = 0; k < v->kernel[0]; ++k) {
        const int32_t z = stw_spread_from(v, 0, oz, k);

        for (int32_t j = 0; j < v->kernel[1] && z >= 0; ++j) {
            const int32_t y = stw_spread_from(v, 1, oy, j);

            for (int32_t i = 0; i < v->kernel[2] && y >= 0; ++i) {
                const int32_t x = stw_spread_from(v, 2, ox, i);

                if (x >= 0) {
                    stw_conv_transpose_f32_tap(p, input + stw_volume_offset(v, z, y, x),
                                               weights + ((k * v->kernel[1] + j) * v->kernel[2] + i) * taken,
                                               output);
                }
            }
        }
    }
}

STW_KERNEL void stw_conv_transpose_f32(const struct stw_conv_transpose_f32_params *p, const float *input,
                                       const float *weights, const float *bias, float *output) {
    const struct stw_volume *v = &p->volume;

    for (int32_t n = 0; n < v->batches; ++n) {
        for (int32_t oz = 0; oz < v->output[0]; ++oz) {
            for (int32_t oy = 0; oy < v->output[1]; ++oy) {
                for (int32_t ox = 0; ox < v->output[2]; ++ox) {
                    for (int32_t o = 0; o < v->output_channels; ++o) {
                        output[o] = bias[o];
                    }
                    stw_conv_transpose_f32_pixel(p, input, weights, oz, oy, ox, output);
                    for (int32_t o = 0; o < v->output_channels; ++o) {
                        output[o] = stw_clamp_f32(output[o], p->output.lowest, p->output.highest);
                    }
                    output += v->output_channels + v->output_gap;
                }
            }
        }
        input += stw_volume_elements(v);
    }
}

#endif /* STOWAGE_KERNELS_CONV_TRANSPOSE_F32_H */
