/* SPDX-License-Identifier: Apache-2.0 */
/*
 * int8 convolution over an image, with groups, strides, dilation and padding.
 *
 *   input        int8  [batch, height, width, channel]
 *   weights      int8, those of [output channel, kernel height, kernel width, channel of the group], symmetric (zero
 *                point 0): a matrix as core/matrix_s8.h packs it for each group, its depth the last three axes
 *   bias         int32 [output channel], less input_zero_point * the sum of the channel's weights
 *   multipliers  int32 [output channel] or [1], shifts int8 likewise: see core/output_s8.h
 *   scratch      int8  [at_once, kernel height, kernel width, channel]
 *   output       int8  [batch, output height, output width, output channel]
 *
 * output = clamp(zero point + requantise(sum over the window of (input - input_zero_point) * weight + true bias)).
 * Padding stands for the real 0, which is input_zero_point.
 *
 * Overflow: the compiler has checked that |bias| + 128 * sum |weight| of every channel is below 2^30.
 * Order: output pixels ascend, or with `backward` descend, `at_once` together (the last may be alone), a group at a time and in a
 * group as core/matrix_s8.h has it. All of their windows is read before any of their output is written.
 * Overlap: the output may lie over the input, not over the scratch. When the p-th pixel is due, p * output channels elements are
 * written, and its window reads from its first tap in the image on: the output must start below the input by the largest lead
 * of the one over the other that any pixel has. With `backward` its end must lie above the input's by that, taps and pixels
 * counted from the ends.
 */
#ifndef STOWAGE_KERNELS_CONV2D_S8_H
#define STOWAGE_KERNELS_CONV2D_S8_H

#include <stddef.h>
#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/matrix_s8.h"
#include "stowage/core/output_s8.h"
#include "stowage/core/patch.h"
#include "stowage/core/window.h"
#include "stowage/kernels/residual_s8.h"

struct stw_conv2d_s8_params {
    struct stw_window window;
    int32_t groups;   /* divides both numbers of channels */
    int32_t backward; /* whether the last pixel is made first */
    int32_t at_once;  /* pixels that are made together, 1 or 2: what the core has registers for */
    int32_t packing;  /* of the weights: what the core multiplies best, see core/matrix_s8.h */
    int32_t input_zero_point;
    struct stw_output_s8 output;
};

/* All output channels of `rows` output pixels, `step` apart, from their patches, `stride` apart. */
STW_KERNEL void stw_conv2d_s8_groups(const struct stw_conv2d_s8_params *p, const struct stw_matrix_s8 *matrix,
                                     int32_t rows, const int8_t *patches, int32_t stride, int8_t *output,
                                     int32_t step) {
    const struct stw_window *w = &p->window;
    const int32_t depth = w->kernel_height * w->kernel_width * (w->input_channels / p->groups);
    const int32_t channels = w->output_channels / p->groups;

    for (int32_t g = 0; g < p->groups; g++) {
        const int32_t first = g * channels;
        const int32_t scale = p->output.per_channel ? first : 0;
        const struct stw_matrix_s8 group = {matrix->weights + first * depth, matrix->bias + first,
                                            matrix->multipliers + scale, matrix->shifts + scale,
                                            matrix->packing};
        stw_matrix_rows_s8(&p->output, &group, rows, depth, channels, patches + g * depth, stride,
                           output + first, step);
    }
}

/* The window of output pixel (n, oy, ox) as one patch a group. */
STW_KERNEL void stw_conv2d_s8_patches(const struct stw_conv2d_s8_params *p, int32_t n, int32_t oy, int32_t ox,
                                      const int8_t *input, int8_t *patches) {
    const struct stw_window *w = &p->window;
    const int32_t depth = w->input_channels / p->groups;
    const int32_t corner = stw_window_offset(w, n, stw_window_row(w, oy), stw_window_column(w, ox));

    for (int32_t g = 0; g < p->groups; g++) {
        stw_patch_gather(w, 1, depth, (const uint8_t *)input, corner + g * depth, stw_window_taps(w, oy, ox),
                         (uint8_t)p->input_zero_point,
                         (uint8_t *)patches + g * w->kernel_height * w->kernel_width * depth);
    }
}

/*
 * `rows` output pixels from their patches, from element `at` of the output on, `step` apart; where there is a residual, `step` is
 * forward, and they are made beside the output first.
 */
STW_KERNEL void stw_conv2d_s8_pixels(const struct stw_conv2d_s8_params *p, const struct stw_matrix_s8 *matrix,
                                     int32_t rows, const int8_t *patches, int32_t stride,
                                     struct stw_residual_s8 *residual, int8_t *output, int32_t at,
                                     int32_t step) {
    const int32_t channels = p->window.output_channels;

    if (residual == NULL) {
        stw_conv2d_s8_groups(p, matrix, rows, patches, stride, output + at, step);
    } else {
        stw_conv2d_s8_groups(p, matrix, rows, patches, stride, residual->made, channels);
        stw_residual_s8_add(residual, rows, channels, at, output);
    }
}

/* The convolution, and the addition of a residual unless that is NULL. */
STW_KERNEL void stw_conv2d_s8_walk(const struct stw_conv2d_s8_params *p, struct stw_residual_s8 *residual,
                                   const int8_t *input, const int8_t *weights, const int32_t *bias,
                                   const int32_t *multipliers, const int8_t *shifts, int8_t *scratch,
                                   int8_t *output) {
    const struct stw_window *w = &p->window;
    const struct stw_matrix_s8 matrix = {weights, bias, multipliers, shifts, p->packing};
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
                stw_conv2d_s8_patches(p, n, oy, ox, input, scratch + rows * size);
                if (++rows == p->at_once) {
                    stw_conv2d_s8_pixels(p, &matrix, p->at_once, scratch, size, residual, output, at, step);
                    at += p->at_once * step;
                    rows = 0;
                }
            }
        }
    }
    if (pixels % p->at_once != 0) {
        stw_conv2d_s8_pixels(p, &matrix, 1, scratch, size, residual, output, at, step);
    }
}

STW_KERNEL void stw_conv2d_s8(const struct stw_conv2d_s8_params *p, const int8_t *input,
                              const int8_t *weights, const int32_t *bias, const int32_t *multipliers,
                              const int8_t *shifts, int8_t *scratch, int8_t *output) {
    stw_conv2d_s8_walk(p, NULL, input, weights, bias, multipliers, shifts, scratch, output);
}

#endif
