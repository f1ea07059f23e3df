/* SPDX-License-Identifier: Apache-2.0 */
/*
 * int8 max pooling: the largest element of each channel under the window; padding never wins.
 *
 *   input   int8 [batch, height, width, channel]
 *   output  int8 [batch, output height, output width, channel], of the same quantisation
 *
 * Every window covers some element of the image.
 * Order: output pixels ascend, or with `backward` descend; the channels of each ascend, in blocks of four and then one by one. A
 * block is written after all that it reads is read.
 * Overlap: the output may lie over the input. When the p-th pixel is due, p pixels are written, and its window reads from its
 * first tap in the image on: the output must start below the input by the largest lead of the one over the other that any pixel
 * has. With `backward` its end must lie above the input's by that, taps and pixels counted from the ends, and a pixel more
 * where there is more than one block.
 */
#ifndef STOWAGE_KERNELS_MAX_POOL2D_S8_H
#define STOWAGE_KERNELS_MAX_POOL2D_S8_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/window.h"

struct stw_max_pool2d_s8_params {
    struct stw_window window;
    int32_t backward; /* whether the last pixel is made first */
};

/* The largest element of a rectangle. */
STW_SHARED int8_t stw_max_s8(const int8_t *input, struct stw_rectangle rectangle) {
    int32_t most = INT8_MIN;

    for (; rectangle.rows > 0; rectangle.rows--) {
        const int8_t *tap = input;
        for (int32_t k = rectangle.columns; k > 0; k--) {
            most = stw_maximum(most, *tap);
            tap += rectangle.column_stride;
        }
        input += rectangle.row_stride;
    }
    return (int8_t)most;
}

/* The largest elements of four adjacent channels. */
STW_SHARED void stw_max_x4_s8(int8_t *output, const int8_t *input, const struct stw_rectangle *rectangle) {
    int32_t m0 = INT8_MIN, m1 = INT8_MIN, m2 = INT8_MIN, m3 = INT8_MIN;

    for (int32_t row = rectangle->rows; row > 0; row--) {
        const int8_t *tap = input;
        for (int32_t k = rectangle->columns; k > 0; k--) {
            m0 = stw_maximum(m0, tap[0]);
            m1 = stw_maximum(m1, tap[1]);
            m2 = stw_maximum(m2, tap[2]);
            m3 = stw_maximum(m3, tap[3]);
            tap += rectangle->column_stride;
        }
        input += rectangle->row_stride;
    }
    output[0] = (int8_t)m0, output[1] = (int8_t)m1, output[2] = (int8_t)m2, output[3] = (int8_t)m3;
}

/* All channels of one pixel; input is the first tap that lies in the image. */
STW_KERNEL void stw_max_pool2d_s8_pixel(const struct stw_max_pool2d_s8_params *p, const int8_t *input,
                                        struct stw_rectangle rectangle, int8_t *output) {
    const int32_t channels = p->window.output_channels;
    const int32_t blocked = channels - channels % 4;

    for (int32_t c = 0; c < blocked; c += 4) {
        stw_max_x4_s8(output + c, input + c, &rectangle);
    }
    for (int32_t c = blocked; c < channels; c++) {
        output[c] = stw_max_s8(input + c, rectangle);
    }
}

STW_KERNEL void stw_max_pool2d_s8(const struct stw_max_pool2d_s8_params *p, const int8_t *input,
                                  int8_t *output) {
    const struct stw_window *w = &p->window;

    for (int32_t i = 0; i < w->batches; i++) {
        const int32_t n = stw_window_place(i, w->batches, p->backward);
        for (int32_t j = 0; j < w->output_height; j++) {
            const int32_t oy = stw_window_place(j, w->output_height, p->backward);
            for (int32_t k = 0; k < w->output_width; k++) {
                const int32_t ox = stw_window_place(k, w->output_width, p->backward);
                const struct stw_taps taps = stw_window_taps(w, oy, ox);
                stw_max_pool2d_s8_pixel(p, input + stw_taps_offset(w, taps, n, oy, ox),
                                        stw_taps_rectangle(w, taps),
                                        output + stw_window_output(w, n, oy, ox));
            }
        }
    }
}

#endif
