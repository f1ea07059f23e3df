/* SPDX-License-Identifier: Apache-2.0 */
/*
 * int8 depthwise convolution: each output channel sees one input channel, with strides, dilation and padding.
 *
 *   input        int8  [batch, height, width, channel]
 *   weights      int8  [kernel height, kernel width, output channel], symmetric (zero point 0)
 *   bias         int32 [output channel], less input_zero_point * the sum of the channel's weights
 *   multipliers  int32 [output channel] or [1], shifts int8 likewise: see core/requantise.h and core/output_s8.h
 *   output       int8  [batch, output height, output width, output channel]
 *
 * Output channel o sees input channel o / (output channels / channels), which divides without remainder.
 * output = clamp(zero point + requantise(sum over the window of (input - input_zero_point) * weight + true bias)).
 * Padding stands for the real 0, which is input_zero_point.
 *
 * Overflow: the compiler has checked that |bias| + 128 * sum |weight| of every channel is below 2^30.
 * Order: output pixels ascend, or with `backward` descend, in pairs where both windows lie inside of the image and are at most
 * 5 x 5; in a pair channels ascend, each in both pixels. A single pixel's channels ascend, where the window lies inside one at a
 * time, else in blocks of four and then one at a time (one at a time where output channels are more than channels). What is made
 * at a time is written after all that it reads is read. With octets channels ascend in blocks of eight, of which the last may
 * be smaller, in pixels and pairs alike.
 * Overlap: the output may lie over the input. Channel o (of an octet the first) of the p-th pixel is due when p pixels and o
 * channels are written, in a pair one pixel more if o is not 0, and reads from its channel of the first tap in the image on: the
 * output must start below the input by the largest lead of the one over the other. With `backward` its end must lie above the
 * input's by that, pixels and taps counted from the ends, where the last block of a pixel or pair reads the windows to their end
 * when the pixel or pair is written down to its first channel.
 */
#ifndef STOWAGE_KERNELS_DEPTHWISE_CONV2D_S8_H
#define STOWAGE_KERNELS_DEPTHWISE_CONV2D_S8_H

#include <stdbool.h>
#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/window.h"
#include "stowage/kernels/depthwise_octets_s8.h"
#include "stowage/kernels/depthwise_pixels_s8.h"

/*
 * How many windows from output pixel (oy, ox) on, in the direction of the walk, exist and lie inside of the image, two at most.
 * `step` pixels of the row come before.
 */
STW_KERNEL int32_t stw_depthwise_s8_inner_pixels(const struct stw_depthwise_conv2d_s8_params *p, int32_t oy,
                                                 int32_t ox, int32_t step) {
    const struct stw_window *w = &p->window;
    const int32_t row = stw_window_row(w, oy);
    const int32_t column = stw_window_column(w, ox);
    const int32_t spare_rows = w->input_height - 1 - row - (w->kernel_height - 1) * w->dilation_height;
    const int32_t spare_columns = w->input_width - 1 - column - (w->kernel_width - 1) * w->dilation_width;
    const int32_t ahead = p->backward ? column : spare_columns;

    if (row < 0 || column < 0 || spare_rows < 0 || spare_columns < 0) {
        return 0;
    }
    return ahead >= w->stride_width && step + 1 < w->output_width ? 2 : 1;
}

/* One or two (a constant) pixels whose windows lie inside of the image. */
STW_KERNEL void stw_depthwise_s8_inside(const struct stw_depthwise_conv2d_s8_params *p,
                                        const struct stw_depthwise_s8 *data, int32_t pixels,
                                        const int8_t *input, int8_t *output) {
    if (p->octets != 0) {
        stw_depthwise_octets_inner(p, data, pixels, input, output);
    } else {
        stw_depthwise_s8_inner(p, data, pixels, input, output);
    }
}

/* One pixel anywhere. */
STW_KERNEL void stw_depthwise_s8_anywhere(const struct stw_depthwise_conv2d_s8_params *p,
                                          const struct stw_depthwise_s8 *data, const int8_t *input,
                                          int32_t corner, struct stw_taps taps, int8_t *output) {
    if (p->octets != 0) {
        stw_depthwise_octets_pixel(p, data, input, corner, taps, output);
    } else {
        stw_depthwise_s8_pixel(p, data, input, corner, taps, output);
    }
}

STW_KERNEL void stw_depthwise_conv2d_s8(const struct stw_depthwise_conv2d_s8_params *p, const int8_t *input,
                                        const int8_t *weights, const int32_t *bias,
                                        const int32_t *multipliers, const int8_t *shifts, int8_t *output) {
    const struct stw_window *w = &p->window;
    const struct stw_depthwise_s8 data = {weights, bias, multipliers, shifts};
    const bool is_small = w->kernel_height <= 5 && w->kernel_width <= 5;
    const int32_t before = p->backward ? w->stride_width * w->input_channels : 0;

    output += p->backward ? stw_window_output(w, w->batches, 0, 0) : 0;
    for (int32_t i = 0; i < w->batches; i++) {
        const int32_t n = stw_place(i, w->batches, p->backward);
        for (int32_t j = 0; j < w->output_height; j++) {
            const int32_t oy = stw_place(j, w->output_height, p->backward);
            for (int32_t k = 0; k < w->output_width;) {
                const int32_t ox = stw_place(k, w->output_width, p->backward);
                const int32_t corner =
                    stw_window_offset(w, n, stw_window_row(w, oy), stw_window_column(w, ox));
                const int32_t inner = is_small ? stw_depthwise_s8_inner_pixels(p, oy, ox, k) : 0;

                if (p->backward != 0) {
                    output -= (inner == 2 ? 2 : 1) * w->output_channels;
                }
                if (inner == 2) {
                    stw_depthwise_s8_inside(p, &data, 2, input + (corner - before), output);
                } else if (inner == 1) {
                    stw_depthwise_s8_inside(p, &data, 1, input + corner, output);
                } else {
                    stw_depthwise_s8_anywhere(p, &data, input, corner, stw_window_taps(w, oy, ox), output);
                }
                if (!p->backward) {
                    output += (inner == 2 ? 2 : 1) * w->output_channels;
                }
                k += inner == 2 ? 2 : 1;
            }
        }
    }
}

#endif
