/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The output pixels of kernels/depthwise_conv2d_s8.h, up to eight channels at a time: for cores with MVE. There are as many
 * output channels as input channels.
 */
#ifndef STOWAGE_KERNELS_DEPTHWISE_OCTETS_S8_H
#define STOWAGE_KERNELS_DEPTHWISE_OCTETS_S8_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/octet_s8.h"
#include "stowage/core/window.h"
#include "stowage/kernels/depthwise_pixels_s8.h"

/* Writes `count` channels of an output pixel, from `channel` on. */
STW_KERNEL void stw_depthwise_octet_store(const struct stw_depthwise_conv2d_s8_params *p,
                                          const struct stw_depthwise_s8 *data, const struct stw_octet *sums,
                                          int32_t channel, int32_t count, int8_t *output) {
    const int32_t at = p->output.per_channel ? channel : 0;

    stw_octet_store(&p->output, sums, data->multipliers + at, data->shifts + at, count, output + channel);
}

/* `count` channels of one output pixel, anywhere; `corner` is where tap (0, 0) of channel 0 would lie. */
STW_KERNEL void stw_depthwise_octet_pixel(const struct stw_depthwise_conv2d_s8_params *p,
                                          const struct stw_depthwise_s8 *data, const int8_t *input,
                                          int32_t corner, const struct stw_taps *taps, int32_t channel,
                                          int32_t count, int8_t *output) {
    const struct stw_window *w = &p->window;
    const int32_t tap_stride = w->dilation_width * w->input_channels;
    const int32_t row_stride = w->dilation_height * w->input_width * w->input_channels;
    const int8_t *weights = data->weights + channel;
    struct stw_octet sums;

    stw_octet_set(&sums, data->bias + channel, count);
    for (int32_t ky = 0; ky < w->kernel_height; ky++) {
        const int32_t left = ky >= taps->top && ky < taps->bottom ? taps->left : w->kernel_width;
        for (int32_t kx = 0; kx < w->kernel_width; kx++) {
            if (kx >= left && kx < taps->right) {
                const int32_t tap = corner + channel + ky * row_stride + kx * tap_stride;
                stw_octet_add(&sums, input + tap, weights, count);
            } else {
                stw_octet_add_value(&sums, p->input_zero_point, weights, count);
            }
            weights += w->output_channels;
        }
    }
    stw_depthwise_octet_store(p, data, &sums, channel, count, output);
}

/* `count` channels of one or two (a constant) neighbouring output pixels, as stw_depthwise_s8_inner has them. */
STW_KERNEL void stw_depthwise_octet_inner(const struct stw_depthwise_conv2d_s8_params *p,
                                          const struct stw_depthwise_s8 *data, int32_t pixels,
                                          const int8_t *input, int32_t channel, int32_t count,
                                          int8_t *output) {
    const struct stw_window *w = &p->window;
    const int32_t row_stride = w->dilation_height * w->input_width * w->input_channels;
    const int32_t tap_stride = w->dilation_width * w->input_channels;
    const int32_t pixel_stride = w->stride_width * w->input_channels;
    struct stw_octet a;
    struct stw_octet b;

    stw_octet_set(&a, data->bias + channel, count);
    stw_octet_set(&b, data->bias + channel, count);
    STW_UNROLL(5)
    for (int32_t ky = 0; ky < w->kernel_height; ky++) {
        STW_UNROLL(5)
        for (int32_t kx = 0; kx < w->kernel_width; kx++) {
            const int8_t *x = input + (channel + ky * row_stride + kx * tap_stride);
            const int8_t *weights =
                data->weights + ((ky * w->kernel_width + kx) * w->output_channels + channel);
            if (pixels == 2) {
                stw_octet_add_both(&a, &b, x, pixel_stride, weights, count);
            } else {
                stw_octet_add(&a, x, weights, count);
            }
        }
    }
    stw_depthwise_octet_store(p, data, &a, channel, count, output);
    if (pixels == 2) {
        stw_depthwise_octet_store(p, data, &b, channel, count, output + w->output_channels);
    }
}

/* All channels of one output pixel, anywhere. */
STW_KERNEL void stw_depthwise_octets_pixel(const struct stw_depthwise_conv2d_s8_params *p,
                                           const struct stw_depthwise_s8 *data, const int8_t *input,
                                           int32_t corner, struct stw_taps taps, int8_t *output) {
    const int32_t rest = p->window.output_channels % STW_OCTET;
    const int32_t whole = p->window.output_channels - rest;

    for (int32_t c = 0; c < whole; c += STW_OCTET) {
        stw_depthwise_octet_pixel(p, data, input, corner, &taps, c, STW_OCTET, output);
    }
    if (rest != 0) {
        stw_depthwise_octet_pixel(p, data, input, corner, &taps, whole, rest, output);
    }
}

/* All channels of one or two (a constant) neighbouring output pixels whose windows lie inside of the image. */
STW_KERNEL void stw_depthwise_octets_inner(const struct stw_depthwise_conv2d_s8_params *p,
                                           const struct stw_depthwise_s8 *data, int32_t pixels,
                                           const int8_t *input, int8_t *output) {
    const int32_t rest = p->window.output_channels % STW_OCTET;
    const int32_t whole = p->window.output_channels - rest;

    for (int32_t c = 0; c < whole; c += STW_OCTET) {
        stw_depthwise_octet_inner(p, data, pixels, input, c, STW_OCTET, output);
    }
    if (rest != 0) {
        stw_depthwise_octet_inner(p, data, pixels, input, whole, rest, output);
    }
}

#endif
