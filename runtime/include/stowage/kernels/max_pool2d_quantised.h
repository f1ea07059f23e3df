/* SPDX-License-Identifier: Apache-2.0 */
/*
 * int8 or int16 max pooling: the largest element of each channel under the window; padding never wins.
 *
 *   input   integer [batch, height, width, channel]
 *   output  integer [batch, output height, output width, channel], of the same quantisation
 *
 * Every window covers some element of the image.
 * Order: output pixels ascend, or with `backward` descend; the channels of each ascend, in blocks of four and then one by one. A
 * block is written after all that it reads is read.
 * Overlap: the output may lie over the input. When the p-th pixel is due, p pixels are written, and its window reads from its
 * first tap in the image on: the output must start below the input by the largest lead of the one over the other that any pixel
 * has. With `backward` its end must lie above the input's by that, taps and pixels counted from the ends, and a pixel more
 * where there is more than one block.
 */
#ifndef STOWAGE_KERNELS_MAX_POOL2D_QUANTISED_H
#define STOWAGE_KERNELS_MAX_POOL2D_QUANTISED_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/window.h"

#define STW_MAX_POOL2D_KERNEL(suffix, type, least)                                                           \
    struct stw_max_pool2d_##suffix##_params {                                                                \
        struct stw_window window;                                                                            \
        int32_t backward; /* whether the last pixel is made first */                                         \
    };                                                                                                       \
                                                                                                             \
    /* The largest element of a rectangle. */                                                                \
    STW_SHARED type stw_max_##suffix(const type *input, struct stw_rectangle rectangle) {                    \
        int32_t most = least;                                                                                \
                                                                                                             \
        for (; rectangle.rows > 0; rectangle.rows--) {                                                       \
            const type *tap = input;                                                                         \
            for (int32_t k = rectangle.columns; k > 0; k--) {                                                \
                most = stw_maximum(most, *tap);                                                              \
                tap += rectangle.column_stride;                                                              \
            }                                                                                                \
            input += rectangle.row_stride;                                                                   \
        }                                                                                                    \
        return (type)most;                                                                                   \
    }                                                                                                        \
                                                                                                             \
    /* The largest elements of four adjacent channels. */                                                    \
    STW_SHARED void stw_max_x4_##suffix(type *output, const type *input,                                     \
                                        const struct stw_rectangle *rectangle) {                             \
        int32_t m0 = least, m1 = least, m2 = least, m3 = least;                                              \
                                                                                                             \
        for (int32_t row = rectangle->rows; row > 0; row--) {                                                \
            const type *tap = input;                                                                         \
            for (int32_t k = rectangle->columns; k > 0; k--) {                                               \
                m0 = stw_maximum(m0, tap[0]);                                                                \
                m1 = stw_maximum(m1, tap[1]);                                                                \
                m2 = stw_maximum(m2, tap[2]);                                                                \
                m3 = stw_maximum(m3, tap[3]);                                                                \
                tap += rectangle->column_stride;                                                             \
            }                                                                                                \
            input += rectangle->row_stride;                                                                  \
        }                                                                                                    \
        output[0] = (type)m0, output[1] = (type)m1, output[2] = (type)m2, output[3] = (type)m3;              \
    }                                                                                                        \
                                                                                                             \
    /* All channels of one pixel; input is the first tap that lies in the image. */                          \
    STW_KERNEL void stw_max_pool2d_##suffix##_pixel(const struct stw_max_pool2d_##suffix##_params *p,        \
                                                    const type *input, struct stw_rectangle rectangle,       \
                                                    type *output) {                                          \
        const int32_t channels = p->window.output_channels;                                                  \
        const int32_t blocked = channels - channels % 4;                                                     \
                                                                                                             \
        for (int32_t c = 0; c < blocked; c += 4) {                                                           \
            stw_max_x4_##suffix(output + c, input + c, &rectangle);                                          \
        }                                                                                                    \
        for (int32_t c = blocked; c < channels; c++) {                                                       \
            output[c] = stw_max_##suffix(input + c, rectangle);                                              \
        }                                                                                                    \
    }                                                                                                        \
                                                                                                             \
    STW_KERNEL void stw_max_pool2d_##suffix(const struct stw_max_pool2d_##suffix##_params *p,                \
                                            const type *input, type *output) {                               \
        const struct stw_window *w = &p->window;                                                             \
                                                                                                             \
        for (int32_t i = 0; i < w->batches; i++) {                                                           \
            const int32_t n = stw_place(i, w->batches, p->backward);                                         \
            for (int32_t j = 0; j < w->output_height; j++) {                                                 \
                const int32_t oy = stw_place(j, w->output_height, p->backward);                              \
                for (int32_t k = 0; k < w->output_width; k++) {                                              \
                    const int32_t ox = stw_place(k, w->output_width, p->backward);                           \
                    const struct stw_taps taps = stw_window_taps(w, oy, ox);                                 \
                    stw_max_pool2d_##suffix##_pixel(p, input + stw_taps_offset(w, taps, n, oy, ox),          \
                                                    stw_taps_rectangle(w, taps),                             \
                                                    output + stw_window_output(w, n, oy, ox));               \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
    }

STW_MAX_POOL2D_KERNEL(s8, int8_t, INT8_MIN)
STW_MAX_POOL2D_KERNEL(s16, int16_t, INT16_MIN)

#endif
