/* SPDX-License-Identifier: Apache-2.0 */
/*
 * int8 transposed convolution over an image: each phase of the strides is a convolution with its own taps.
 *
 *   input        int8  [batch, height, width, channel]
 *   weights      int8, symmetric: for each phase and group a matrix [output channel of the group, tap, channel of the
 *                group], packed as core/matrix_s8.h says; a phase without taps has one of zeros
 *   bias         int32 [phase, output channel], less input_zero_point * the sum of the channel's weights of the phase
 *   multipliers  int32 [output channel] or [1], shifts int8 likewise: see core/output_s8.h
 *   phases       int32 [phase, 2]: where its weights begin, and the depth of its matrices
 *   scratch      int8  [at_once, the largest depth * groups]
 *   output       int8  [batch, output height, output width, output channel]
 *
 * Along each axis output place o takes from input place (o + pad - k * dilation) / stride, for those taps k for which this
 * is whole; where it is outside of the input it stands for the real 0, which is input_zero_point. The phase of a pixel is
 * (oy + pad_top) % stride_height * stride_width + (ox + pad_left) % stride_width; it alone says which taps there are.
 *
 * output = clamp(zero point + requantise(sum over the taps of (input - input_zero_point) * weight + true bias)).
 *
 * Overflow: the compiler has checked that |bias| + 128 * sum |weight| of every channel and phase is below 2^30.
 * Nothing may overlap.
 */
#ifndef STOWAGE_KERNELS_CONV_TRANSPOSE2D_S8_H
#define STOWAGE_KERNELS_CONV_TRANSPOSE2D_S8_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/matrix_s8.h"
#include "stowage/core/output_s8.h"
#include "stowage/core/patch.h"
#include "stowage/core/window.h"

/* The window has strides, dilations and pads of the transposed convolution. */
struct stw_conv_transpose2d_s8_params {
    struct stw_window window;
    int32_t groups;  /* divides both numbers of channels */
    int32_t at_once; /* pixels of a row that are made together, 1 or 2: what the core has registers for */
    int32_t packing; /* of the weights: what the core multiplies best, see core/matrix_s8.h */
    int32_t input_zero_point;
    struct stw_output_s8 output;
};

/* Some output pixels of one phase. */
struct stw_phase_s8 {
    struct stw_matrix_s8 matrix; /* of the first group */
    int32_t depth;
};

/* Where a tap takes from: `place` divided by the stride if that is whole, else `none`. */
STW_KERNEL int32_t stw_taken_place(int32_t place, int32_t stride, int32_t none) {
    return place % stride == 0 ? place / stride : none;
}

/* Writes the taps of one group for output pixel (oy, ox); input is the group's first channel of the image's first pixel. */
STW_KERNEL void stw_conv_transpose2d_s8_group(const struct stw_conv_transpose2d_s8_params *p,
                                              const int8_t *input, int32_t oy, int32_t ox, int8_t *patch) {
    const struct stw_window *w = &p->window;
    const int32_t taken = w->input_channels / p->groups;
    const uint8_t padding = (uint8_t)p->input_zero_point;
    uint8_t *to = (uint8_t *)patch;

    for (int32_t j = 0; j < w->kernel_height; ++j) {
        const int32_t y =
            stw_taken_place(oy + w->pad_top - j * w->dilation_height, w->stride_height, INT32_MIN);

        for (int32_t i = 0; i < w->kernel_width && y != INT32_MIN; ++i) {
            const int32_t x =
                stw_taken_place(ox + w->pad_left - i * w->dilation_width, w->stride_width, INT32_MIN);
            const int inside = y >= 0 && y < w->input_height && x >= 0 && x < w->input_width;
            const int32_t from = inside ? (y * w->input_width + x) * w->input_channels : 0;

            if (x != INT32_MIN) {
                to = stw_patch_run(to, padding, inside ? 0 : taken, (const uint8_t *)input + from,
                                   inside ? taken : 0, 0);
            }
        }
    }
    if (to == (uint8_t *)patch) {
        stw_patch_run(to, padding, taken, (const uint8_t *)input, 0, 0);
    }
}

/* All output channels of `rows` (a constant) pixels of a phase from their patches. */
STW_KERNEL void stw_conv_transpose2d_s8_store(const struct stw_conv_transpose2d_s8_params *p,
                                              const struct stw_phase_s8 *phase, int32_t rows,
                                              const int8_t *patches, int8_t *output) {
    const struct stw_window *w = &p->window;
    const int32_t channels = w->output_channels / p->groups;

    for (int32_t g = 0; g < p->groups; ++g) {
        const int32_t first = g * channels;
        const int32_t scale = p->output.per_channel ? first : 0;
        const struct stw_matrix_s8 group = {phase->matrix.weights + first * phase->depth,
                                            phase->matrix.bias + first, phase->matrix.multipliers + scale,
                                            phase->matrix.shifts + scale, phase->matrix.packing};

        stw_matrix_rows_s8(&p->output, &group, rows, phase->depth, channels, patches + g * phase->depth,
                           p->groups * phase->depth, output + first,
                           w->stride_width * stw_window_output_pixel(w));
    }
}

/* The output pixels of row oy from column ox on, a stride apart; input is the image's first pixel, output the row's. */
STW_KERNEL void stw_conv_transpose2d_s8_row(const struct stw_conv_transpose2d_s8_params *p,
                                            const struct stw_phase_s8 *phase, const int8_t *input, int32_t oy,
                                            int32_t ox, int8_t *scratch, int8_t *output) {
    const struct stw_window *w = &p->window;
    const int32_t taken = w->input_channels / p->groups;
    int32_t rows = 0;

    for (; ox < w->output_width; ox += w->stride_width) {
        for (int32_t g = 0; g < p->groups; ++g) {
            stw_conv_transpose2d_s8_group(p, input + g * taken, oy, ox,
                                          scratch + (rows * p->groups + g) * phase->depth);
        }
        if (++rows == p->at_once) {
            const int32_t first = ox - (p->at_once - 1) * w->stride_width;

            stw_conv_transpose2d_s8_store(p, phase, p->at_once, scratch,
                                          output + first * stw_window_output_pixel(w));
            rows = 0;
        }
    }
    if (rows != 0) {
        stw_conv_transpose2d_s8_store(p, phase, 1, scratch,
                                      output + (ox - w->stride_width) * stw_window_output_pixel(w));
    }
}

STW_KERNEL void stw_conv_transpose2d_s8(const struct stw_conv_transpose2d_s8_params *p, const int8_t *input,
                                        const int8_t *weights, const int32_t *bias,
                                        const int32_t *multipliers, const int8_t *shifts,
                                        const int32_t *phases, int8_t *scratch, int8_t *output) {
    const struct stw_window *w = &p->window;

    for (int32_t n = 0; n < w->batches; ++n) {
        for (int32_t oy = 0; oy < w->output_height; ++oy) {
            for (int32_t ox = 0; ox < w->stride_width; ++ox) {
                const int32_t at = (oy + w->pad_top) % w->stride_height * w->stride_width +
                                   (ox + w->pad_left) % w->stride_width;
                const struct stw_phase_s8 phase = {{weights + phases[2 * at], bias + at * w->output_channels,
                                                    multipliers, shifts, p->packing},
                                                   phases[2 * at + 1]};

                stw_conv_transpose2d_s8_row(p, &phase, input + stw_window_offset(w, n, 0, 0), oy, ox, scratch,
                                            output);
            }
            output += w->output_width * stw_window_output_pixel(w);
        }
    }
}

#endif /* STOWAGE_KERNELS_CONV_TRANSPOSE2D_S8_H */
