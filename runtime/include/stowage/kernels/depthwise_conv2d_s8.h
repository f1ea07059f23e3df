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
 * at a time is written after all that it reads is read.
 * Overlap: the output may lie over the input. Channel o of the p-th pixel is due when p pixels and o channels are written, in a
 * pair one pixel more if o is not 0, and reads from its channel of the first tap in the image on: the output must start below the
 * input by the largest lead of the one over the other. With `backward` its end must lie above the input's by that, pixels and
 * taps counted from the ends, where the last block of a pixel or pair reads the windows to their end when the pixel or pair
 * is written down to its first channel.
 */
#ifndef STOWAGE_KERNELS_DEPTHWISE_CONV2D_S8_H
#define STOWAGE_KERNELS_DEPTHWISE_CONV2D_S8_H

#include <stdbool.h>
#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/output_s8.h"
#include "stowage/core/window.h"

struct stw_depthwise_conv2d_s8_params {
    struct stw_window window;
    int32_t backward; /* whether the last pixel is made first */
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
                                           const struct stw_depthwise_s8 *data, int32_t channel,
                                           int32_t sum) {
    const int32_t at = p->output.per_channel ? channel : 0;

    return stw_output_element_s8(&p->output, sum, data->multipliers[at], data->shifts[at]);
}

/* Sums of four adjacent channels on their way through a window's taps, and the weights of the next tap. */
struct stw_depthwise_s8_block {
    int32_t s0, s1, s2, s3;
    const int8_t *weights;
};

/* Adds the products of `count` taps, whose inputs are `input_stride` and whose weights are `weight_stride` apart. */
STW_KERNEL void stw_depthwise_s8_add(struct stw_depthwise_s8_block *b, int32_t count, const int8_t *input,
                                     int32_t input_stride, int32_t weight_stride) {
    for (; count > 0; count--) {
        b->s0 += input[0] * b->weights[0];
        b->s1 += input[1] * b->weights[1];
        b->s2 += input[2] * b->weights[2];
        b->s3 += input[3] * b->weights[3];
        input += input_stride;
        b->weights += weight_stride;
    }
}

/* The same for taps in the padding. */
STW_KERNEL void stw_depthwise_s8_add_padding(struct stw_depthwise_s8_block *b, int32_t count, int32_t value,
                                             int32_t weight_stride) {
    for (; count > 0; count--) {
        b->s0 += value * b->weights[0];
        b->s1 += value * b->weights[1];
        b->s2 += value * b->weights[2];
        b->s3 += value * b->weights[3];
        b->weights += weight_stride;
    }
}

/*
 * sums[c] = bias[c] + the products of an output pixel's taps, for four adjacent channels. `corner` is where tap (0, 0) of the
 * first of them would lie, in elements from `input`; taps in the padding have the value input_zero_point. Padding from the
 * end of one row to the begin of the next is one run of taps.
 */
STW_SHARED void stw_depthwise_s8_sums_x4(const struct stw_depthwise_conv2d_s8_params *p, int32_t *sums,
                                         const int32_t *bias, const int8_t *input, int32_t corner,
                                         const int8_t *weights, const struct stw_taps *taps) {
    const struct stw_window *w = &p->window;
    const int32_t value = p->input_zero_point;
    const int32_t tap_stride = w->dilation_width * w->input_channels;
    const int32_t row_stride = w->dilation_height * w->input_width * w->input_channels;
    const int32_t columns = taps->right - taps->left;
    const int32_t between = w->kernel_width - columns;
    const int32_t after = (w->kernel_height - taps->bottom) * w->kernel_width + w->kernel_width - taps->right;
    const int32_t before = taps->top < taps->bottom ? taps->top * w->kernel_width + taps->left
                                                    : w->kernel_height * w->kernel_width;
    const int8_t *row = input + (corner + taps->top * row_stride + taps->left * tap_stride);
    struct stw_depthwise_s8_block b = {bias[0], bias[1], bias[2], bias[3], weights};

    stw_depthwise_s8_add_padding(&b, before, value, w->output_channels);
    for (int32_t rows = taps->bottom - taps->top; rows > 0; rows--) {
        stw_depthwise_s8_add(&b, columns, row, tap_stride, w->output_channels);
        stw_depthwise_s8_add_padding(&b, rows > 1 ? between : after, value, w->output_channels);
        row += row_stride;
    }
    sums[0] = b.s0, sums[1] = b.s1, sums[2] = b.s2, sums[3] = b.s3;
}

/* The same for one channel. */
STW_SHARED int32_t stw_depthwise_s8_sum(const struct stw_depthwise_conv2d_s8_params *p, int32_t sum,
                                        const int8_t *input, int32_t corner, const int8_t *weights,
                                        struct stw_taps taps) {
    const struct stw_window *w = &p->window;

    for (int32_t ky = 0; ky < w->kernel_height; ky++) {
        const int32_t left = ky >= taps.top && ky < taps.bottom ? taps.left : w->kernel_width;
        for (int32_t kx = 0; kx < w->kernel_width; kx++) {
            const bool inside = kx >= left && kx < taps.right;
            const int32_t tap = corner + kx * w->dilation_width * w->input_channels;
            sum += (inside ? input[tap] : p->input_zero_point) * *weights;
            weights += w->output_channels;
        }
        corner += w->dilation_height * w->input_width * w->input_channels;
    }
    return sum;
}

/* All channels of one output pixel, anywhere. */
STW_KERNEL void stw_depthwise_s8_pixel(const struct stw_depthwise_conv2d_s8_params *p,
                                       const struct stw_depthwise_s8 *data, const int8_t *input,
                                       int32_t corner, struct stw_taps taps, int8_t *output) {
    const int32_t channels = p->window.output_channels;
    const int32_t multiplier = channels / p->window.input_channels;
    const int32_t blocked = multiplier == 1 ? channels - channels % 4 : 0;
    int32_t sums[4];

    for (int32_t c = 0; c < blocked; c += 4) {
        stw_depthwise_s8_sums_x4(p, sums, data->bias + c, input, corner + c, data->weights + c, &taps);
        for (int32_t i = 0; i < 4; i++) {
            output[c + i] = stw_depthwise_s8_element(p, data, c + i, sums[i]);
        }
    }
    for (int32_t c = blocked; c < channels; c++) {
        sums[0] =
            stw_depthwise_s8_sum(p, data->bias[c], input, corner + c / multiplier, data->weights + c, taps);
        output[c] = stw_depthwise_s8_element(p, data, c, sums[0]);
    }
}

/*
 * All channels of `pixels` (one or two, a constant) neighbouring output pixels whose windows lie inside of the image; `input` is
 * where tap (0, 0) of the first lies.
 */
STW_KERNEL void stw_depthwise_s8_inner(const struct stw_depthwise_conv2d_s8_params *p,
                                       const struct stw_depthwise_s8 *data, int32_t pixels,
                                       const int8_t *input, int8_t *output) {
    const struct stw_window *w = &p->window;
    const int32_t multiplier = w->output_channels / w->input_channels;
    const int32_t row_stride = w->dilation_height * w->input_width * w->input_channels;
    const int32_t tap_stride = w->dilation_width * w->input_channels;
    const int32_t pixel_stride = w->stride_width * w->input_channels;

    for (int32_t c = 0; c < w->output_channels; c++) {
        const int8_t *x = input + c / multiplier;
        int32_t a = data->bias[c];
        int32_t b = a;

        STW_UNROLL(5)
        for (int32_t ky = 0; ky < w->kernel_height; ky++) {
            STW_UNROLL(5)
            for (int32_t kx = 0; kx < w->kernel_width; kx++) {
                const int32_t weight = data->weights[(ky * w->kernel_width + kx) * w->output_channels + c];
                a += x[ky * row_stride + kx * tap_stride] * weight;
                b += pixels == 2 ? x[ky * row_stride + kx * tap_stride + pixel_stride] * weight : 0;
            }
        }
        output[c] = stw_depthwise_s8_element(p, data, c, a);
        if (pixels == 2) {
            output[w->output_channels + c] = stw_depthwise_s8_element(p, data, c, b);
        }
    }
}

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
                    stw_depthwise_s8_inner(p, &data, 2, input + (corner - before), output);
                } else if (inner == 1) {
                    stw_depthwise_s8_inner(p, &data, 1, input + corner, output);
                } else {
                    stw_depthwise_s8_pixel(p, &data, input, corner, stw_window_taps(w, oy, ox), output);
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
