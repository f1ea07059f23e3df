/* SPDX-License-Identifier: Apache-2.0 */
/*
 * float32 max pooling: the largest element of each channel under the window; padding never wins.
 *
 *   input   float [batch, height, width, channel]
 *   output  float [batch, output height, output width, channel]
 *
 * Every window covers some element of the image.
 * Order: output pixels ascend, or with `backward` descend; the channels of each ascend, in blocks of four and then one by one. A
 * block is written after all that it reads is read.
 * Overlap: the output may lie over the input. When the p-th pixel is due, p pixels are written, and its window reads from its
 * first tap in the image on: the output must start below the input by the largest lead of the one over the other that any pixel
 * has. With `backward` its end must lie above the input's by that, taps and pixels counted from the ends, and a pixel more
 * where there is more than one block.
 */
#ifndef STOWAGE_KERNELS_MAX_POOL2D_F32_H
#define STOWAGE_KERNELS_MAX_POOL2D_F32_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/window.h"

struct stw_max_pool2d_f32_params {
    struct stw_window window;
    int32_t backward; /* whether the last pixel is made first */
};

/* The larger of two, compared as integers: compilers turn comparisons of floats into branches. */
STW_KERNEL float stw_maximum_f32(float a, float b) {
    const int32_t p = stw_ordered_bits(stw_bits_f32(a));
    const int32_t q = stw_ordered_bits(stw_bits_f32(b));

    return stw_from_bits_f32(stw_ordered_bits(p > q ? p : q));
}

/* The largest element of a rectangle. */
STW_SHARED float stw_max_f32(const float *input, struct stw_rectangle rectangle) {
    float most = -STW_INFINITY;

    for (; rectangle.rows > 0; rectangle.rows--) {
        const float *tap = input;
        for (int32_t k = rectangle.columns; k > 0; k--) {
            most = stw_maximum_f32(most, *tap);
            tap += rectangle.column_stride;
        }
        input += rectangle.row_stride;
    }
    return most;
}

/* The largest elements of four adjacent channels. */
STW_SHARED void stw_max_x4_f32(float *output, const float *input, const struct stw_rectangle *rectangle) {
    float m0 = -STW_INFINITY, m1 = m0, m2 = m0, m3 = m0;

    for (int32_t row = rectangle->rows; row > 0; row--) {
        const float *tap = input;
        for (int32_t k = rectangle->columns; k > 0; k--) {
            m0 = stw_maximum_f32(m0, tap[0]);
            m1 = stw_maximum_f32(m1, tap[1]);
            m2 = stw_maximum_f32(m2, tap[2]);
            m3 = stw_maximum_f32(m3, tap[3]);
            tap += rectangle->column_stride;
        }
        input += rectangle->row_stride;
    }
    output[0] = m0, output[1] = m1, output[2] = m2, output[3] = m3;
}

/* All channels of one pixel; input is the first tap that lies in the image. */
STW_KERNEL void stw_max_pool2d_f32_pixel(const struct stw_max_pool2d_f32_params *p, const float *input,
                                         struct stw_rectangle rectangle, float *output) {
    const int32_t channels = p->window.output_channels;
    const int32_t blocked = channels - channels % 4;

    for (int32_t c = 0; c < blocked; c += 4) {
        stw_max_x4_f32(output + c, input + c, &rectangle);
    }
    for (int32_t c = blocked; c < channels; c++) {
        output[c] = stw_max_f32(input + c, rectangle);
    }
}

STW_KERNEL void stw_max_pool2d_f32(const struct stw_max_pool2d_f32_params *p, const float *input,
                                   float *output) {
    const struct stw_window *w = &p->window;

    for (int32_t i = 0; i < w->batches; i++) {
        const int32_t n = stw_place(i, w->batches, p->backward);
        for (int32_t j = 0; j < w->output_height; j++) {
            const int32_t oy = stw_place(j, w->output_height, p->backward);
            for (int32_t k = 0; k < w->output_width; k++) {
                const int32_t ox = stw_place(k, w->output_width, p->backward);
                const struct stw_taps taps = stw_window_taps(w, oy, ox);
                stw_max_pool2d_f32_pixel(p, input + stw_taps_offset(w, taps, n, oy, ox),
                                         stw_taps_rectangle(w, taps),
                                         output + stw_window_output(w, n, oy, ox));
            }
        }
    }
}

#endif
