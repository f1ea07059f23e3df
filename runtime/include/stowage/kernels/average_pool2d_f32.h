/* SPDX-License-Identifier: Apache-2.0 */
/*
 * float32 average pooling: the mean of each channel under the window.
 *
 *   input   float [batch, height, width, channel]
 *   output  float [batch, output height, output width, channel]
 *
 * output = clamp(sum over the window, row by row, of input / count); padding adds nothing, and counts if count_padding. Every
 * window then covers something to count.
 *
 * Order: output pixels ascend, or with `backward` descend; the channels of each ascend, in blocks of four and then one by one. A
 * block is written after all that it reads is read.
 * Overlap: the output may lie over the input. When the p-th pixel is due, p pixels are written, and its window reads from its
 * first tap in the image on: the output must start below the input by the largest lead of the one over the other that any pixel
 * has. With `backward` its end must lie above the input's by that, taps and pixels counted from the ends, and a pixel more
 * where there is more than one block.
 */
#ifndef STOWAGE_KERNELS_AVERAGE_POOL2D_F32_H
#define STOWAGE_KERNELS_AVERAGE_POOL2D_F32_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/matrix_f32.h"
#include "stowage/core/window.h"

struct stw_average_pool2d_f32_params {
    struct stw_window window;
    int32_t backward; /* whether the last pixel is made first */
    int32_t count_padding;
    struct stw_output_f32 output;
};

/* The sum of a rectangle's elements. */
STW_SHARED float stw_sum_f32(const float *input, struct stw_rectangle rectangle) {
    float sum = 0.0f;

    for (; rectangle.rows > 0; rectangle.rows--) {
        const float *tap = input;
        for (int32_t k = rectangle.columns; k > 0; k--) {
            sum += *tap;
            tap += rectangle.column_stride;
        }
        input += rectangle.row_stride;
    }
    return sum;
}

/* The sums of four adjacent channels. */
STW_SHARED void stw_sum_x4_f32(float *sums, const float *input, const struct stw_rectangle *rectangle) {
    float s0 = 0.0f, s1 = 0.0f, s2 = 0.0f, s3 = 0.0f;

    for (int32_t row = rectangle->rows; row > 0; row--) {
        const float *tap = input;
        for (int32_t k = rectangle->columns; k > 0; k--) {
            s0 += tap[0];
            s1 += tap[1];
            s2 += tap[2];
            s3 += tap[3];
            tap += rectangle->column_stride;
        }
        input += rectangle->row_stride;
    }
    sums[0] = s0, sums[1] = s1, sums[2] = s2, sums[3] = s3;
}

/* All channels of one pixel; input is the first tap that lies in the image. */
STW_KERNEL void stw_average_pool2d_f32_pixel(const struct stw_average_pool2d_f32_params *p,
                                             const float *input, struct stw_rectangle rectangle,
                                             float *output) {
    const int32_t channels = p->window.output_channels;
    const int32_t blocked = channels - channels % 4;
    const int32_t counted = p->count_padding ? p->window.kernel_height * p->window.kernel_width
                                             : rectangle.rows * rectangle.columns;
    const float count = (float)counted;
    float sums[4];

    for (int32_t c = 0; c < blocked; c += 4) {
        stw_sum_x4_f32(sums, input + c, &rectangle);
        for (int32_t i = 0; i < 4; i++) {
            output[c + i] = stw_clamp_f32(sums[i] / count, p->output.lowest, p->output.highest);
        }
    }
    for (int32_t c = blocked; c < channels; c++) {
        output[c] =
            stw_clamp_f32(stw_sum_f32(input + c, rectangle) / count, p->output.lowest, p->output.highest);
    }
}

STW_KERNEL void stw_average_pool2d_f32(const struct stw_average_pool2d_f32_params *p, const float *input,
                                       float *output) {
    const struct stw_window *w = &p->window;

    for (int32_t i = 0; i < w->batches; i++) {
        const int32_t n = stw_place(i, w->batches, p->backward);
        for (int32_t j = 0; j < w->output_height; j++) {
            const int32_t oy = stw_place(j, w->output_height, p->backward);
            for (int32_t k = 0; k < w->output_width; k++) {
                const int32_t ox = stw_place(k, w->output_width, p->backward);
                const struct stw_taps taps = stw_window_taps(w, oy, ox);
                stw_average_pool2d_f32_pixel(p, input + stw_taps_offset(w, taps, n, oy, ox),
                                             stw_taps_rectangle(w, taps),
                                             output + stw_window_output(w, n, oy, ox));
            }
        }
    }
}

#endif
