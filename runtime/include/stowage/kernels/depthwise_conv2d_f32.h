/* SPDX-License-Identifier: Apache-2.0 */
/*
 * float32 depthwise convolution: each output channel sees one input channel, with strides, dilation and padding by zeros.
 *
 *   input    float [batch, height, width, channel]
 *   weights  float [kernel height, kernel width, output channel]
 *   bias     float [output channel]
 *   output   float [batch, output height, output width, output channel]
 *
 * Output channel o sees input channel o / (output channels / channels), which divides without remainder.
 * output = clamp(bias + sum over the window, row by row, of input * weight), rounded at every step.
 *
 * Order: output pixels ascend, or with `backward` descend; the channels of each ascend, in blocks of four and then one by one (all
 * one by one where output channels are more than channels). A block is written after all that it reads is read.
 * Overlap: the output may lie over the input. Channel o of the p-th pixel is due when p pixels and o channels are written, and
 * reads from its channel of the first tap in the image on: the output must start below the input by the largest lead of the one
 * over the other. With `backward` its end must lie above the input's by that, pixels and taps counted from the ends, where the
 * last block of a pixel reads its windows to their end when the pixel is written down to its first channel.
 */
#ifndef STOWAGE_KERNELS_DEPTHWISE_CONV2D_F32_H
#define STOWAGE_KERNELS_DEPTHWISE_CONV2D_F32_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/matrix_f32.h"
#include "stowage/core/window.h"

struct stw_depthwise_conv2d_f32_params {
    struct stw_window window;
    int32_t backward; /* whether the last pixel is made first */
    struct stw_output_f32 output;
};

/* A rectangle of an image's taps and of the weights that go with them, which are from row to row and tap to tap apart: */
struct stw_depthwise_f32 {
    struct stw_rectangle taps;
    int32_t weight_row_stride;
    int32_t weight_stride;
};

/* bias + the sum of products of one channel. */
STW_SHARED float stw_depthwise_sum_f32(const struct stw_depthwise_f32 *d, float bias, const float *input,
                                       const float *weights) {
    for (int32_t row = 0; row < d->taps.rows; row++) {
        for (int32_t k = 0; k < d->taps.columns; k++) {
            bias += input[k * d->taps.column_stride] * weights[k * d->weight_stride];
        }
        input += d->taps.row_stride;
        weights += d->weight_row_stride;
    }
    return bias;
}

/* The same for four adjacent channels. */
STW_SHARED void stw_depthwise_sum_x4_f32(const struct stw_depthwise_f32 *d, float *sums, const float *bias,
                                         const float *input, const float *weights) {
    float s0 = bias[0], s1 = bias[1], s2 = bias[2], s3 = bias[3];

    for (int32_t row = d->taps.rows; row > 0; row--) {
        const float *tap = input;
        const float *weight = weights;
        for (int32_t k = d->taps.columns; k > 0; k--) {
            s0 += tap[0] * weight[0];
            s1 += tap[1] * weight[1];
            s2 += tap[2] * weight[2];
            s3 += tap[3] * weight[3];
            tap += d->taps.column_stride;
            weight += d->weight_stride;
        }
        input += d->taps.row_stride;
        weights += d->weight_row_stride;
    }
    sums[0] = s0, sums[1] = s1, sums[2] = s2, sums[3] = s3;
}

/* All channels of one pixel; input and weights begin at the first tap that lies in the image. */
STW_KERNEL void stw_depthwise_conv2d_f32_pixel(const struct stw_depthwise_conv2d_f32_params *p,
                                               const struct stw_depthwise_f32 *d, const float *input,
                                               const float *weights, const float *bias, float *output) {
    const int32_t channels = p->window.output_channels;
    const int32_t multiplier = channels / p->window.input_channels;
    const int32_t blocked = multiplier == 1 ? channels - channels % 4 : 0;
    float sums[4];

    for (int32_t c = 0; c < blocked; c += 4) {
        stw_depthwise_sum_x4_f32(d, sums, bias + c, input + c, weights + c);
        for (int32_t i = 0; i < 4; i++) {
            output[c + i] = stw_clamp_f32(sums[i], p->output.lowest, p->output.highest);
        }
    }
    for (int32_t c = blocked; c < channels; c++) {
        sums[0] = stw_depthwise_sum_f32(d, bias[c], input + c / multiplier, weights + c);
        output[c] = stw_clamp_f32(sums[0], p->output.lowest, p->output.highest);
    }
}

STW_KERNEL void stw_depthwise_conv2d_f32(const struct stw_depthwise_conv2d_f32_params *p, const float *input,
                                         const float *weights, const float *bias, float *output) {
    const struct stw_window *w = &p->window;

    for (int32_t i = 0; i < w->batches; i++) {
        const int32_t n = stw_place(i, w->batches, p->backward);
        for (int32_t j = 0; j < w->output_height; j++) {
            const int32_t oy = stw_place(j, w->output_height, p->backward);
            for (int32_t k = 0; k < w->output_width; k++) {
                const int32_t ox = stw_place(k, w->output_width, p->backward);
                const struct stw_taps taps = stw_window_taps(w, oy, ox);
                const struct stw_depthwise_f32 d = {stw_taps_rectangle(w, taps),
                                                    w->kernel_width * w->output_channels, w->output_channels};
                stw_depthwise_conv2d_f32_pixel(p, &d, input + stw_taps_offset(w, taps, n, oy, ox),
                                               weights + (taps.top * w->kernel_width + taps.left) *
                                                             w->output_channels,
                                               bias, output + stw_window_output(w, n, oy, ox));
            }
        }
    }
}

#endif
