/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Convolution of int16 images by int8 weights, with groups, strides, dilation and padding; neither has a zero point.
 *
 *   input        int16 [batch, height, width, channel]
 *   weights      int8  [output channel, kernel height, kernel width, channel of the group]
 *   bias         int64 [output channel]
 *   multipliers  int32 [output channel] or [1], shifts int8 likewise: see core/output_s16.h
 *   output       int16 [batch, output height, output width, output channel]
 *
 * output = clamp(requantise(bias + sum over the window of input * weight)). Padding adds nothing.
 * A dense layer is this over images of one pixel; a depthwise convolution has as many groups as channels.
 *
 * Overflow: the compiler has checked that |bias| + 2^15 * sum |weight| of every channel is below 2^47.
 * Order: output pixels and their channels ascend; all that a channel reads is read before it is written.
 * Overlap: the output may lie over the input. Channel o of the p-th pixel is due when p pixels and o channels are written, and
 * reads from the first channel of its group of the first tap in the image on: the output must start below the input by the
 * largest lead of the one over the other.
 */
#ifndef STOWAGE_KERNELS_CONV2D_S16_H
#define STOWAGE_KERNELS_CONV2D_S16_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/output_s16.h"
#include "stowage/core/window.h"

struct stw_conv2d_s16_params {
    struct stw_window window;
    int32_t groups; /* divides both numbers of channels */
    struct stw_output_s16 output;
};

/* Products whose sum is sure to fit 32 bits: 2^8 of at most 2^22. */
#define STW_RUN_S16 256

/* sum + the products of `count` adjacent elements. */
STW_SHARED int64_t stw_dot_s16(int64_t sum, const int16_t *input, const int8_t *weights, int32_t count) {
    for (; count > 0; count -= STW_RUN_S16) {
        int32_t part = 0;
        for (int32_t k = stw_minimum(count, STW_RUN_S16); k > 0; k--) {
            part += *input++ * *weights++;
        }
        sum += part;
    }
    return sum;
}

/*
 * sum + the products of a window's taps in the image: `input` is the first of them at the group's first channel, `weights` is
 * tap (0, 0) of an output channel.
 */
STW_KERNEL int64_t stw_conv2d_s16_sum(const struct stw_conv2d_s16_params *p, int64_t sum,
                                      const int16_t *input, const int8_t *weights, struct stw_taps taps) {
    const struct stw_window *w = &p->window;
    const int32_t depth = w->input_channels / p->groups;
    const struct stw_rectangle rectangle = stw_taps_rectangle(w, taps);

    weights += (taps.top * w->kernel_width + taps.left) * depth;
    for (int32_t row = 0; row < rectangle.rows; row++) {
        if (rectangle.column_stride == depth) {
            sum = stw_dot_s16(sum, input, weights, rectangle.columns * depth);
        } else {
            for (int32_t k = 0; k < rectangle.columns; k++) {
                sum = stw_dot_s16(sum, input + k * rectangle.column_stride, weights + k * depth, depth);
            }
        }
        input += rectangle.row_stride;
        weights += w->kernel_width * depth;
    }
    return sum;
}

STW_KERNEL void stw_conv2d_s16(const struct stw_conv2d_s16_params *p, const int16_t *input,
                               const int8_t *weights, const int64_t *bias, const int32_t *multipliers,
                               const int8_t *shifts, int16_t *output) {
    const struct stw_window *w = &p->window;
    const int32_t depth = w->input_channels / p->groups;
    const int32_t channels = w->output_channels / p->groups;
    const int32_t size = w->kernel_height * w->kernel_width * depth;

    for (int32_t n = 0; n < w->batches; n++) {
        for (int32_t oy = 0; oy < w->output_height; oy++) {
            for (int32_t ox = 0; ox < w->output_width; ox++) {
                const struct stw_taps taps = stw_window_taps(w, oy, ox);
                const int16_t *first = input + stw_taps_offset(w, taps, n, oy, ox);
                for (int32_t c = 0; c < w->output_channels; c++) {
                    const int32_t at = p->output.per_channel ? c : 0;
                    const int64_t sum = stw_conv2d_s16_sum(p, bias[c], first + c / channels * depth,
                                                           weights + c * size, taps);
                    *output++ = stw_output_element_s16(&p->output, sum, multipliers[at], shifts[at]);
                }
            }
        }
    }
}

#endif
