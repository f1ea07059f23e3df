/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The geometry of a window that slides over an image [batch, height, width, channels], as in convolution and pooling.
 *
 * Output row `oy` sees input rows oy * stride - pad + k * dilation for k in [0, kernel); those outside of the image are
 * padding. Columns likewise. Pads below and right follow from the output's extents.
 */
#ifndef STOWAGE_CORE_WINDOW_H
#define STOWAGE_CORE_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "stowage/core/kernel.h"

/* All in elements; all positive but the pads, which are not negative. */
struct stw_window {
    int32_t batches;
    int32_t input_height;
    int32_t input_width;
    int32_t input_channels;
    int32_t output_height;
    int32_t output_width;
    int32_t output_channels;
    int32_t kernel_height;
    int32_t kernel_width;
    int32_t stride_height;
    int32_t stride_width;
    int32_t dilation_height;
    int32_t dilation_width;
    int32_t pad_top;
    int32_t pad_left;
    int32_t output_gap; /* between an output pixel and the next, where these are part of wider ones */
};

/* The taps of a window that lie in the image: rows [top, bottom) and columns [left, right) of the kernel. */
struct stw_taps {
    int32_t top;
    int32_t bottom;
    int32_t left;
    int32_t right;
};

/* Some taps as they lie in memory: `rows` by `columns` elements, and the elements from one to the next. */
struct stw_rectangle {
    int32_t rows;
    int32_t columns;
    int32_t row_stride;
    int32_t column_stride;
};

/* Input row of output row oy's first tap; negative in the padding. */
STW_KERNEL int32_t stw_window_row(const struct stw_window *w, int32_t oy) {
    return oy * w->stride_height - w->pad_top;
}

/* Input column of output column ox's first tap; negative in the padding. */
STW_KERNEL int32_t stw_window_column(const struct stw_window *w, int32_t ox) {
    return ox * w->stride_width - w->pad_left;
}

/* How many of `kernel` taps lie before position `end` of an axis where tap 0 lies at `start`. */
STW_KERNEL int32_t stw_taps_before(int32_t end, int32_t start, int32_t dilation, int32_t kernel) {
    return stw_minimum((stw_maximum(end - start, 0) + dilation - 1) / dilation, kernel);
}

/* The taps in the image for the output pixel (oy, ox). */
STW_KERNEL struct stw_taps stw_window_taps(const struct stw_window *w, int32_t oy, int32_t ox) {
    const int32_t row = stw_window_row(w, oy);
    const int32_t column = stw_window_column(w, ox);
    struct stw_taps taps;

    taps.top = stw_taps_before(0, row, w->dilation_height, w->kernel_height);
    taps.bottom = stw_taps_before(w->input_height, row, w->dilation_height, w->kernel_height);
    taps.left = stw_taps_before(0, column, w->dilation_width, w->kernel_width);
    taps.right = stw_taps_before(w->input_width, column, w->dilation_width, w->kernel_width);
    return taps;
}

/* Whether some window reaches into the padding. */
STW_KERNEL bool stw_window_is_padded(const struct stw_window *w) {
    const int32_t last_row =
        stw_window_row(w, w->output_height - 1) + (w->kernel_height - 1) * w->dilation_height;
    const int32_t last_column =
        stw_window_column(w, w->output_width - 1) + (w->kernel_width - 1) * w->dilation_width;

    return w->pad_top > 0 || w->pad_left > 0 || last_row >= w->input_height || last_column >= w->input_width;
}

/* Elements before input pixel (row, column) of image n; a pixel in the padding has a place too, to count from. */
STW_KERNEL int32_t stw_window_offset(const struct stw_window *w, int32_t n, int32_t row, int32_t column) {
    return ((n * w->input_height + row) * w->input_width + column) * w->input_channels;
}

/* Where the taps in the image for output pixel (oy, ox) of image n lie: elements before the first of them, channel 0. */
STW_KERNEL int32_t stw_taps_offset(const struct stw_window *w, struct stw_taps taps, int32_t n, int32_t oy,
                                   int32_t ox) {
    return stw_window_offset(w, n, stw_window_row(w, oy) + taps.top * w->dilation_height,
                             stw_window_column(w, ox) + taps.left * w->dilation_width);
}

/* Elements from one output pixel to the next. */
STW_KERNEL int32_t stw_window_output_pixel(const struct stw_window *w) {
    return w->output_channels + w->output_gap;
}

/* Elements before output pixel (oy, ox) of image n. */
STW_KERNEL int32_t stw_window_output(const struct stw_window *w, int32_t n, int32_t oy, int32_t ox) {
    return ((n * w->output_height + oy) * w->output_width + ox) * stw_window_output_pixel(w);
}

/* How these taps lie. */
STW_KERNEL struct stw_rectangle stw_taps_rectangle(const struct stw_window *w, struct stw_taps taps) {
    const struct stw_rectangle rectangle = {
        taps.bottom - taps.top,
        taps.right - taps.left,
        w->dilation_height * w->input_width * w->input_channels,
        w->dilation_width * w->input_channels,
    };

    return rectangle;
}

#endif
