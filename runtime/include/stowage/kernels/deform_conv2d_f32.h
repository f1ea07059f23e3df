/* SPDX-License-Identifier: Apache-2.0 */
/*
 * float32 convolution whose taps are moved pixel by pixel, and read between the image's pixels.
 *
 *   input    float [batch, height, width, channel]
 *   weights  float [output channel, kernel height, kernel width, channel of the group]
 *   bias     float [output channel]
 *   offsets  float [batch, output height, output width, offset group, kernel height, kernel width, 2], (y, x) of each
 *   factors  float [batch, output height, output width, offset group, kernel height, kernel width]
 *   scratch  float [kernel height, kernel width, channel]
 *   output   float [batch, output height, output width, output channel]
 *
 * Each offset group moves its share of the input channels. A tap is the bilinear interpolation of the four pixels around
 * where it is moved to, zeros outside of the image, times its factor; stw_deform_conv2d_f32 is the kernel without factors.
 * Nothing may overlap. Offsets may be any numbers; control flow does not depend on them.
 */
#ifndef STOWAGE_KERNELS_DEFORM_CONV2D_F32_H
#define STOWAGE_KERNELS_DEFORM_CONV2D_F32_H

#include <stdint.h>

#include "stowage/core/axis_taps.h"
#include "stowage/core/dot_f32.h"
#include "stowage/core/kernel.h"
#include "stowage/core/window.h"

#define STW_DEFORM_CONV2D_FIELDS                                                                             \
    struct stw_window window;                                                                                \
    int32_t groups;        /* divides both numbers of channels */                                            \
    int32_t offset_groups; /* divides the input channels */

struct stw_deform_conv2d_f32_params {
    STW_DEFORM_CONV2D_FIELDS
};

struct stw_weighed_deform_conv2d_f32_params {
    STW_DEFORM_CONV2D_FIELDS
};

/* `channels` adjacent channels of the image at (y, x), times a factor. */
STW_KERNEL void stw_deformed_tap(const struct stw_window *w, const float *image, float y, float x,
                                 float factor, int32_t channels, float *tap) {
    struct stw_axis_taps down, across;

    stw_linear_taps(&down, stw_near_axis_f32(y, w->input_height));
    stw_linear_taps(&across, stw_near_axis_f32(x, w->input_width));
    stw_zeros_outside(&down, 2, w->input_height);
    stw_zeros_outside(&across, 2, w->input_width);
    for (int32_t c = 0; c < channels; ++c) {
        float sum = 0.0f;

        for (int32_t j = 0; j < 2; ++j) {
            const float *row = image + down.places[j] * w->input_width * w->input_channels + c;

            sum += down.weights[j] * (across.weights[0] * row[across.places[0] * w->input_channels] +
                                      across.weights[1] * row[across.places[1] * w->input_channels]);
        }
        tap[c] = sum * factor;
    }
}

/* All taps of output pixel (oy, ox): the patch that the weights are multiplied with. factors may be absent. */
STW_KERNEL void stw_deformed_patch(const struct stw_window *w, int32_t groups, const float *image, int32_t oy,
                                   int32_t ox, const float *offsets, const float *factors, float *patch) {
    const int32_t channels = w->input_channels / groups;
    const int32_t count = w->kernel_height * w->kernel_width;

    for (int32_t g = 0; g < groups; ++g) {
        for (int32_t j = 0; j < w->kernel_height; ++j) {
            for (int32_t i = 0; i < w->kernel_width; ++i) {
                const int32_t tap = j * w->kernel_width + i;
                const int32_t at = g * count + tap;

                stw_deformed_tap(
                    w, image + g * channels,
                    (float)(stw_window_row(w, oy) + j * w->dilation_height) + offsets[2 * at],
                    (float)(stw_window_column(w, ox) + i * w->dilation_width) + offsets[2 * at + 1],
                    factors ? factors[at] : 1.0f, channels, patch + tap * w->input_channels + g * channels);
            }
        }
    }
}

/* One output channel of a patch. */
STW_KERNEL float stw_deformed_sum(const struct stw_window *w, int32_t taken, const float *patch,
                                  const float *weights, float sum) {
    for (int32_t tap = 0; tap < w->kernel_height * w->kernel_width; ++tap) {
        sum = stw_dot_1x1_f32(sum, patch + tap * w->input_channels, weights + tap * taken, taken);
    }
    return sum;
}

STW_KERNEL void stw_deform_conv2d_pixels(const struct stw_window *w, int32_t groups, int32_t offset_groups,
                                         const float *input, const float *weights, const float *bias,
                                         const float *offsets, const float *factors, float *patch,
                                         float *output) {
    const int32_t taps = w->kernel_height * w->kernel_width;
    const int32_t taken = w->input_channels / groups;
    const int32_t made = w->output_channels / groups;

    for (int32_t n = 0; n < w->batches; ++n) {
        for (int32_t oy = 0; oy < w->output_height; ++oy) {
            for (int32_t ox = 0; ox < w->output_width; ++ox) {
                stw_deformed_patch(w, offset_groups, input + stw_window_offset(w, n, 0, 0), oy, ox, offsets,
                                   factors, patch);
                for (int32_t o = 0; o < w->output_channels; ++o) {
                    *output++ = stw_deformed_sum(w, taken, patch + o / made * taken,
                                                 weights + o * taps * taken, bias[o]);
                }
                offsets += 2 * offset_groups * taps;
                factors = factors ? factors + offset_groups * taps : factors;
            }
        }
    }
}

STW_KERNEL void stw_deform_conv2d_f32(const struct stw_deform_conv2d_f32_params *p, const float *input,
                                      const float *weights, const float *bias, const float *offsets,
                                      float *scratch, float *output) {
    stw_deform_conv2d_pixels(&p->window, p->groups, p->offset_groups, input, weights, bias, offsets, 0,
                             scratch, output);
}

STW_KERNEL void stw_weighed_deform_conv2d_f32(const struct stw_weighed_deform_conv2d_f32_params *p,
                                              const float *input, const float *weights, const float *bias,
                                              const float *offsets, const float *factors, float *scratch,
                                              float *output) {
    stw_deform_conv2d_pixels(&p->window, p->groups, p->offset_groups, input, weights, bias, offsets, factors,
                             scratch, output);
}

#endif /* STOWAGE_KERNELS_DEFORM_CONV2D_F32_H */
