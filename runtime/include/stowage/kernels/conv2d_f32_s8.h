/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Convolution of float32 images by int8 weights, with groups, strides, dilation and padding by zeros.
 *
 *   input    float [batch, height, width, channel]
 *   weights  int8  [output channel, kernel height, kernel width, channel of the group], without zero points
 *   scales   float [output channel]: what a step of the channel's weights stands for
 *   bias     float [output channel]
 *   output   float [batch, output height, output width, output channel]
 *
 * output = clamp(scale * (sum over the window, in the order of the weights, of input * weight) + bias), rounded at every step.
 * A dense layer is this over images of one pixel; a depthwise convolution has as many groups as channels.
 *
 * Order: output pixels and their channels ascend; all that a channel reads is read before it is written.
 * Overlap: the output may lie over the input, as conv2d_s16.h says.
 */
#ifndef STOWAGE_KERNELS_CONV2D_F32_S8_H
#define STOWAGE_KERNELS_CONV2D_F32_S8_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/matrix_f32.h"
#include "stowage/core/window.h"

struct stw_conv2d_f32_s8_params {
    struct stw_window window;
    int32_t groups; /* divides both numbers of channels */
    struct stw_output_f32 output;
};

/* sum + the products of `count` adjacent elements. */
STW_SHARED float stw_dot_f32_s8(float sum, const float *input, const int8_t *weights, int32_t count) {
    for (; count > 0; count--) {
        sum += *input++ * (float)*weights++;
    }
    return sum;
}

/*
 * The sum over a window's taps in the image: `input` is the first of them at the group's first channel, `weights` is tap (0, 0)
 * of an output channel.
 */
STW_KERNEL float stw_conv2d_f32_s8_sum(const struct stw_conv2d_f32_s8_params *p, const float *input,
                                       const int8_t *weights, struct stw_taps taps) {
    const struct stw_window *w = &p->window;
    const int32_t depth = w->input_channels / p->groups;
    const struct stw_rectangle rectangle = stw_taps_rectangle(w, taps);
    float sum = 0.0f;

    weights += (taps.top * w->kernel_width + taps.left) * depth;
    for (int32_t row = 0; row < rectangle.rows; row++) {
        if (rectangle.column_stride == depth) {
            sum = stw_dot_f32_s8(sum, input, weights, rectangle.columns * depth);
        } else {
            for (int32_t k = 0; k < rectangle.columns; k++) {
                sum = stw_dot_f32_s8(sum, input + k * rectangle.column_stride, weights + k * depth, depth);
            }
        }
        input += rectangle.row_stride;
        weights += w->kernel_width * depth;
    }
    return sum;
}

STW_KERNEL void stw_conv2d_f32_s8(const struct stw_conv2d_f32_s8_params *p, const float *input,
                                  const int8_t *weights, const float *scales, const float *bias,
                                  float *output) {
    const struct stw_window *w = &p->window;
    const int32_t depth = w->input_channels / p->groups;
    const int32_t channels = w->output_channels / p->groups;
    const int32_t size = w->kernel_height * w->kernel_width * depth;

    for (int32_t n = 0; n < w->batches; n++) {
        for (int32_t oy = 0; oy < w->output_height; oy++) {
            for (int32_t ox = 0; ox < w->output_width; ox++) {
                const struct stw_taps taps = stw_window_taps(w, oy, ox);
                const float *first = input + stw_taps_offset(w, taps, n, oy, ox);
                for (int32_t c = 0; c < w->output_channels; c++) {
                    const float sum =
                        stw_conv2d_f32_s8_sum(p, first + c / channels * depth, weights + c * size, taps);
                    const float scaled = sum * scales[c];
                    *output++ = stw_clamp_f32(scaled + bias[c], p->output.lowest, p->output.highest);
                }
            }
        }
    }
}

#endif
