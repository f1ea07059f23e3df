/* SPDX-License-Identifier: Apache-2.0 */
/*
 * float32 convolution over an image, with groups, strides, dilation and padding by zeros.
 *
 *   input    float [batch, height, width, channel]
 *   weights  float, those of [output channel, kernel height, kernel width, channel of the group]: a matrix as
 *            core/matrix_f32.h packs it for each group, its depth the last three axes
 *   bias     float [output channel]
 *   scratch  float [2, kernel height, kernel width, channel]
 *   output   float [batch, output height, output width, output channel]
 *
 * output = clamp(bias + sum over the window, in the order of the weights, of input * weight), rounded at every step.
 *
 * Order: output pixels ascend, or with `backward` descend, in pairs (the last may be alone), each pair a group at a time and in
 * a group as core/matrix_f32.h has it. All of a pair's windows is read before any of its output is written.
 * Overlap: the output may lie over the input, not over the scratch. When the pair from the p-th pixel on is due, p * output
 * channels elements are written, and its windows read from their first tap in the image on: the output must start below the
 * input by the largest lead of the one over the other that any pair has. With `backward` its end must lie above the input's by
 * that, taps and pixels counted from the ends.
 */
#ifndef STOWAGE_KERNELS_CONV2D_F32_H
#define STOWAGE_KERNELS_CONV2D_F32_H

#include <stddef.h>
#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/matrix_f32.h"
#include "stowage/core/patch.h"
#include "stowage/core/window.h"
#include "stowage/kernels/residual_f32.h"

struct stw_conv2d_f32_params {
    struct stw_window window;
    int32_t groups;   /* divides both numbers of channels */
    int32_t backward; /* whether the last pixel is made first */
    struct stw_output_f32 output;
};

/* All output channels of `rows` output pixels, `step` apart, from their patches, `stride` apart. */
STW_KERNEL void stw_conv2d_f32_groups(const struct stw_conv2d_f32_params *p,
                                      const struct stw_matrix_f32 *matrix, int32_t rows, const float *patches,
                                      int32_t stride, float *output, int32_t step) {
    const struct stw_window *w = &p->window;
    const int32_t depth = w->kernel_height * w->kernel_width * (w->input_channels / p->groups);
    const int32_t channels = w->output_channels / p->groups;

    for (int32_t g = 0; g < p->groups; g++) {
        const int32_t first = g * channels;
        const struct stw_matrix_f32 group = {matrix->weights + first * depth, matrix->bias + first};
        stw_matrix_rows_f32(&p->output, &group, rows, depth, channels, patches + g * depth, stride,
                            output + first, step);
    }
}

/* The window of output pixel (n, oy, ox) as one patch a group. */
STW_KERNEL void stw_conv2d_f32_patches(const struct stw_conv2d_f32_params *p, int32_t n, int32_t oy,
                                       int32_t ox, const float *input, float *patches) {
    const struct stw_window *w = &p->window;
    const int32_t element = (int32_t)sizeof(float);
    const int32_t depth = w->input_channels / p->groups;
    const int32_t corner = stw_window_offset(w, n, stw_window_row(w, oy), stw_window_column(w, ox));

    for (int32_t g = 0; g < p->groups; g++) {
        stw_patch_gather(w, element, depth, (const uint8_t *)input, (corner + g * depth) * element,
                         stw_window_taps(w, oy, ox), 0,
                         (uint8_t *)(patches + g * w->kernel_height * w->kernel_width * depth));
    }
}

/*
 * `rows` output pixels from their patches, from element `at` of the output on, `step` apart; where there is a residual, `step` is
 * forward, and they are made beside the output first.
 */
STW_KERNEL void stw_conv2d_f32_pixels(const struct stw_conv2d_f32_params *p,
                                      const struct stw_matrix_f32 *matrix, int32_t rows, const float *patches,
                                      int32_t stride, struct stw_residual_f32 *residual, float *output,
                                      int32_t at, int32_t step) {
    const int32_t channels = p->window.output_channels;

    if (residual == NULL) {
        stw_conv2d_f32_groups(p, matrix, rows, patches, stride, output + at, step);
    } else {
        stw_conv2d_f32_groups(p, matrix, rows, patches, stride, residual->made, channels);
        stw_residual_f32_add(residual, rows, channels, at, output);
    }
}

/* The convolution, and the addition of a residual unless that is NULL. */
STW_KERNEL void stw_conv2d_f32_walk(const struct stw_conv2d_f32_params *p, struct stw_residual_f32 *residual,
                                    const float *input, const float *weights, const float *bias,
                                    float *scratch, float *output) {
    const struct stw_window *w = &p->window;
    const struct stw_matrix_f32 matrix = {weights, bias};
    const int32_t size = w->kernel_height * w->kernel_width * w->input_channels;
    const int32_t pixel = stw_window_output_pixel(w);
    const int32_t step = p->backward ? -pixel : pixel;
    const int32_t pixels = w->batches * w->output_height * w->output_width;
    int32_t at = p->backward ? (pixels - 1) * pixel : 0;
    int32_t rows = 0;

    for (int32_t i = 0; i < w->batches; i++) {
        const int32_t n = stw_place(i, w->batches, p->backward);
        for (int32_t j = 0; j < w->output_height; j++) {
            const int32_t oy = stw_place(j, w->output_height, p->backward);
            for (int32_t k = 0; k < w->output_width; k++) {
                const int32_t ox = stw_place(k, w->output_width, p->backward);
                stw_conv2d_f32_patches(p, n, oy, ox, input, scratch + rows * size);
                if (++rows == 2) {
                    stw_conv2d_f32_pixels(p, &matrix, 2, scratch, size, residual, output, at, step);
                    at += 2 * step;
                    rows = 0;
                }
            }
        }
    }
    if (pixels % 2 != 0) {
        stw_conv2d_f32_pixels(p, &matrix, 1, scratch, size, residual, output, at, step);
    }
}

STW_KERNEL void stw_conv2d_f32(const struct stw_conv2d_f32_params *p, const float *input,
                               const float *weights, const float *bias, float *scratch, float *output) {
    stw_conv2d_f32_walk(p, NULL, input, weights, bias, scratch, output);
}

#endif
