/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Transposed convolution of floats: input [batch, height, width, channels], weights [output channels, kernel height, kernel
 * width, channels / groups], bias [output channels] -> output [batch, output height, output width, output channels].
 *
 * Output pixel (oy, ox) sums, over the taps (j, i) for which (oy + pad_top - j * dilation_height) is a multiple of
 * stride_height inside the input (columns likewise), weights[.., j, i, ..] times the input pixel there, starting
 * from the bias. Products are summed as core/dot_f32.h says, tap by tap.
 *
 * `window` has the strides, dilations and pads of the transposed convolution. Nothing may overlap.
 */
#ifndef STOWAGE_KERNELS_CONV_TRANSPOSE2D_F32_H
#define STOWAGE_KERNELS_CONV_TRANSPOSE2D_F32_H

#include <stdint.h>

#include "stowage/core/dot_f32.h"
#include "stowage/core/kernel.h"
#include "stowage/core/window.h"

struct stw_conv_transpose2d_f32_params {
    struct stw_window window;
    int32_t groups;
};

/* The input place that a tap of this output place comes from, or -1 where there is none. */
STW_KERNEL int32_t stw_spread_from(int32_t place, int32_t stride, int32_t extent) {
    return place < 0 || place % stride != 0 || place / stride >= extent ? -1 : place / stride;
}

/* One output number: channel `output` of the pixel whose taps begin at (row, column). */
STW_KERNEL float stw_spread_sum_f32(const struct stw_conv_transpose2d_f32_params *p, const float *image,
                                    const float *weights, float sum, int32_t row, int32_t column) {
    const struct stw_window *w = &p->window;
    const int32_t taken = w->input_channels / p->groups;

    for (int32_t j = 0; j < w->kernel_height; ++j) {
        const int32_t y = stw_spread_from(row - j * w->dilation_height, w->stride_height, w->input_height);

        for (int32_t i = 0; i < w->kernel_width && y >= 0; ++i) {
            const int32_t x = stw_spread_from(column - i * w->dilation_width, w->stride_width, w->input_width);

            if (x >= 0) {
                sum = stw_dot_1x1_f32(sum, image + (y * w->input_width + x) * w->input_channels,
                                      weights + (j * w->kernel_width + i) * taken, taken);
            }
        }
    }
    return sum;
}

STW_KERNEL void stw_conv_transpose2d_f32(const struct stw_conv_transpose2d_f32_params *p, const float *input,
                                         const float *weights, const float *bias, float *output) {
    const struct stw_window *w = &p->window;
    const int32_t taken = w->input_channels / p->groups;
    const int32_t made = w->output_channels / p->groups;
    const int32_t filter = w->kernel_height * w->kernel_width * taken;

    for (int32_t batch = 0; batch < w->batches; ++batch) {
        for (int32_t oy = 0; oy < w->output_height; ++oy) {
            for (int32_t ox = 0; ox < w->output_width; ++ox) {
                for (int32_t o = 0; o < w->output_channels; ++o) {
                    *output++ = stw_spread_sum_f32(p, input + o / made * taken, weights + o * filter, bias[o],
                                                   oy + w->pad_top, ox + w->pad_left);
                }
            }
        }
        input += w->input_height * w->input_width * w->input_channels;
    }
}

#endif /* STOWAGE_KERNELS_CONV_TRANSPOSE2D_F32_H */
