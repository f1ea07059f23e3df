/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The output pixels of kernels/depthwise_conv2d_s8.h, a channel or four at a time: for any core.
 */
#ifndef STOWAGE_KERNELS_DEPTHWISE_PIXELS_S8_H
#define STOWAGE_KERNELS_DEPTHWISE_PIXELS_S8_H

#include <stdbool.h>
#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/output_s8.h"
#include "stowage/core/window.h"

struct stw_depthwise_conv2d_s8_params {
    struct stw_window window;
    int32_t backward; /* whether the last pixel is made first */
    int32_t
        octets; /* whether eight channels are made at once, for cores with MVE: as many as input channels */
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

#endif
