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
 * Order: output pixels ascend, in pairs where both windows lie inside of the image and are small. Channels ascend: in a pair one
 * channel of both pixels at a time, else four of a pixel, or one where channels are not a multiple of four or
 * multiplied. What is made at a time is written after all that it reads is read.
 */
#ifndef STOWAGE_KERNELS_DEPTHWISE_CONV2D_S8_H
#define STOWAGE_KERNELS_DEPTHWISE_CONV2D_S8_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/output_s8.h"
#include "stowage/core/window.h"

struct stw_depthwise_conv2d_s8_params {
    struct stw_window window;
    int32_t input_zero_point;
    struct stw_output_s8 output;
};

/* What goes with the output channels. */
struct stw_depthwise_s8 {
    const int8_t *weights;
    const int32_t *bias;
    const int32_t *multipliers;
    const int8_t *shifts;
};

STW_KERNEL int8_t stw_depthwise_s8_element(const struct stw_depthwise_conv2d_s8_params *p,
                                           const struct stw_depthwise_s8 *data, int32_t channel, int32_t sum)
{
    const int32_t at = p->output.per_channel ? channel : 0;

    return stw_output_element_s8(&p->output, sum, data->multipliers[at], data->shifts[at]);
}

/*
 * sums[c] += the products of one output pixel's taps, for `count` (one or four, a constant) adjacent channels. `input` is where
 * tap (0, 0) of the first channel would lie; taps in the padding have the value input_zero_point.
 */
STW_KERNEL void stw_depthwise_s8_taps(const struct stw_window *w, int32_t input_zero_point, int32_t *sums, int32_t count,
                                      const int8_t *input, int32_t corner, const int8_t *weights, struct stw_taps taps)
{
    for (int32_t ky = 0; ky < w->kernel_height; ky++) {
        for (int32_t kx = 0; kx < w->kernel_width; kx++) {
            if (ky >= taps.top && ky < taps.bottom && kx >= taps.left && kx < taps.right) {
                const int8_t *tap = input + corner + kx * w->dilation_width * w->input_channels;
                STW_UNROLL(4)
                for (int32_t c = 0; c < count; c++) {
                    sums[c] += tap[c] * weights[c];
                }
            } else {
                STW_UNROLL(4)
                for (int32_t c = 0; c < count; c++) {
                    sums[c] += input_zero_point * weights[c];
                }
            }
            weights += w->output_channels;
        }
        corner += w->dilation_height * w->input_width * w->input_channels;
    }
}

/* The same from a bias, in a function of which there is one. */
STW_SHARED void stw_depthwise_s8_sum_x4(const struct stw_window *w, int32_t input_zero_point, int32_t *sums,
                                        const int32_t *bias, const int8_t *input, int32_t corner, const int8_t *weights,
                                        struct stw_taps taps)
{
    int32_t s[4] = {bias[0], bias[1], bias[2], bias[3]};

    stw_depthwise_s8_taps(w, input_zero_point, s, 4, input, corner, weights, taps);
    sums[0] = s[0], sums[1] = s[1], sums[2] = s[2], sums[3] = s[3];
}

STW_SHARED int32_t stw_depthwise_s8_sum(const struct stw_window *w, int32_t input_zero_point, int32_t bias,
                                        const int8_t *input, int32_t corner, const int8_t *weights, struct stw_taps taps)
{
    stw_depthwise_s8_taps(w, input_zero_point, &bias, 1, input, corner, weights, taps);
    return bias;
}

/* All channels of one output pixel, anywhere. */
STW_KERNEL void stw_depthwise_s8_pixel(const struct stw_depthwise_conv2d_s8_params *p,
                                       const struct stw_depthwise_s8 *data, const int8_t *input, int32_t corner,
                                       struct stw_taps taps, int8_t *output)
{
    const struct stw_window *w = &p->window;
    const int32_t multiplier = w->output_channels / w->input_channels;
    int32_t sums[4];

    if (multiplier == 1 && w->output_channels % 4 == 0) {
        for (int32_t c = 0; c < w->output_channels; c += 4) {
            stw_depthwise_s8_sum_x4(w, p->input_zero_point, sums, data->bias + c, input, corner + c, data->weights + c,
                                    taps);
            for (int32_t i = 0; i < 4; i++) {
                output[c + i] = stw_depthwise_s8_element(p, data, c + i, sums[i]);
            }
        }
    } else {
        for (int32_t c = 0; c < w->output_channels; c++) {
            sums[0] = stw_depthwise_s8_sum(w, p->input_zero_point, data->bias[c], input, corner + c / multiplier,
                                           data->weights + c, taps);
            output[c] = stw_depthwise_s8_element(p, data, c, sums[0]);
        }
    }
}

/* All channels of two neighbouring output pixels whose windows lie inside of the image; `input` is the first's tap (0, 0). */
STW_KERNEL void stw_depthwise_s8_pair(const struct stw_depthwise_conv2d_s8_params *p,
                                      const struct stw_depthwise_s8 *data, const int8_t *input, int8_t *output)
{
    const struct stw_window *w = &p->window;
    const int32_t multiplier = w->output_channels / w->input_channels;
    const int32_t row_stride = w->dilation_height * w->input_width * w->input_channels;
    const int32_t tap_stride = w->dilation_width * w->input_channels;
    const int32_t pixel_stride = w->stride_width * w->input_channels;

    for (int32_t c = 0; c < w->output_channels; c++) {
        const int8_t *x = input + c / multiplier;
        int32_t a = data->bias[c];
        int32_t b = a;

        STW_UNROLL(3)
        for (int32_t ky = 0; ky < w->kernel_height; ky++) {
            STW_UNROLL(5)
            for (int32_t kx = 0; kx < w->kernel_width; kx++) {
                const int32_t weight = data->weights[(ky * w->kernel_width + kx) * w->output_channels + c];
                a += x[ky * row_stride + kx * tap_stride] * weight;
                b += x[ky * row_stride + kx * tap_stride + pixel_stride] * weight;
            }
        }
        output[c] = stw_depthwise_s8_element(p, data, c, a);
        output[w->output_channels + c] = stw_depthwise_s8_element(p, data, c, b);
    }
}

/* Whether output pixels (oy, ox) and (oy, ox + 1) exist and their windows lie inside of the image. */
STW_KERNEL int stw_depthwise_s8_is_inner_pair(const struct stw_window *w, int32_t oy, int32_t ox)
{
    const int32_t row = stw_window_row(w, oy);
    const int32_t column = stw_window_column(w, ox);

    return row >= 0 && row + (w->kernel_height - 1) * w->dilation_height < w->input_height && column >= 0 &&
           column + w->stride_width + (w->kernel_width - 1) * w->dilation_width < w->input_width &&
           ox + 1 < w->output_width;
}

STW_KERNEL void stw_depthwise_conv2d_s8(const struct stw_depthwise_conv2d_s8_params *p, const int8_t *input,
                                        const int8_t *weights, const int32_t *bias, const int32_t *multipliers,
                                        const int8_t *shifts, int8_t *output)
{
    const struct stw_window *w = &p->window;
    const struct stw_depthwise_s8 data = {weights, bias, multipliers, shifts};
    const int is_small = w->kernel_height <= 3 && w->kernel_width <= 5;

    for (int32_t n = 0; n < w->batches; n++) {
        for (int32_t oy = 0; oy < w->output_height; oy++) {
            for (int32_t ox = 0; ox < w->output_width;) {
                const int32_t corner = stw_window_offset(w, n, stw_window_row(w, oy), stw_window_column(w, ox));
                const int32_t pixels = is_small && stw_depthwise_s8_is_inner_pair(w, oy, ox) ? 2 : 1;

                if (pixels == 2) {
                    stw_depthwise_s8_pair(p, &data, input + corner, output);
                } else {
                    stw_depthwise_s8_pixel(p, &data, input, corner, stw_window_taps(w, oy, ox), output);
                }
                output += pixels * w->output_channels;
                ox += pixels;
            }
        }
    }
}

#endif
