/* SPDX-License-Identifier: Apache-2.0 */
/*
 * int8 or int16 average pooling: the mean of each channel under the window.
 *
 *   input        integer [batch, height, width, channel]
 *   multipliers  int32   [kernel height * kernel width], shifts int8 likewise: input scale / (output scale * count) for a mean
 *                over 1, 2, … elements; or one of each where every mean is over equally many. See core/requantise.h.
 *   output       integer [batch, output height, output width, channel]
 *
 * output = clamp(zero point + requantise(sum over the window of (input - input_zero_point))); padding adds nothing, and is not
 * counted where multipliers go by count. A window of padding alone has the mean 0.
 *
 * Overflow: the compiler has checked that 2^8 (of int16 2^16) * kernel height * kernel width is below 2^30.
 * Order: output pixels ascend, or with `backward` descend; the channels of each ascend, in blocks of four and then one by one. A
 * block is written after all that it reads is read.
 * Overlap: the output may lie over the input. When the p-th pixel is due, p pixels are written, and its window reads from its
 * first tap in the image on: the output must start below the input by the largest lead of the one over the other that any pixel
 * has. With `backward` its end must lie above the input's by that, taps and pixels counted from the ends, and a pixel more
 * where there is more than one block.
 */
#ifndef STOWAGE_KERNELS_AVERAGE_POOL2D_QUANTISED_H
#define STOWAGE_KERNELS_AVERAGE_POOL2D_QUANTISED_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/output_s8.h"
#include "stowage/core/window.h"

#define STW_AVERAGE_POOL2D_KERNEL(suffix, type, element)                                                     \
    struct stw_average_pool2d_##suffix##_params {                                                            \
        struct stw_window window;                                                                            \
        int32_t backward; /* whether the last pixel is made first */                                         \
        int32_t input_zero_point;                                                                            \
        struct stw_output_s8 output; /* per_channel here says that multipliers go by count */                \
    };                                                                                                       \
                                                                                                             \
    /* The sum of a rectangle's elements, from `sum` on. */                                                  \
    STW_SHARED int32_t stw_sum_##suffix(int32_t sum, const type *input, struct stw_rectangle rectangle) {    \
        for (; rectangle.rows > 0; rectangle.rows--) {                                                       \
            const type *tap = input;                                                                         \
            for (int32_t k = rectangle.columns; k > 0; k--) {                                                \
                sum += *tap;                                                                                 \
                tap += rectangle.column_stride;                                                              \
            }                                                                                                \
            input += rectangle.row_stride;                                                                   \
        }                                                                                                    \
        return sum;                                                                                          \
    }                                                                                                        \
                                                                                                             \
    /* The sums of four adjacent channels, all from `sum` on. */                                             \
    STW_SHARED void stw_sum_x4_##suffix(int32_t *sums, int32_t sum, const type *input,                       \
                                        const struct stw_rectangle *rectangle) {                             \
        int32_t s0 = sum, s1 = sum, s2 = sum, s3 = sum;                                                      \
                                                                                                             \
        for (int32_t row = rectangle->rows; row > 0; row--) {                                                \
            const type *tap = input;                                                                         \
            for (int32_t k = rectangle->columns; k > 0; k--) {                                               \
                s0 += tap[0];                                                                                \
                s1 += tap[1];                                                                                \
                s2 += tap[2];                                                                                \
                s3 += tap[3];                                                                                \
                tap += rectangle->column_stride;                                                             \
            }                                                                                                \
            input += rectangle->row_stride;                                                                  \
        }                                                                                                    \
        sums[0] = s0, sums[1] = s1, sums[2] = s2, sums[3] = s3;                                              \
    }                                                                                                        \
                                                                                                             \
    /* All channels of one pixel; input is the first tap that lies in the image. */                          \
    STW_KERNEL void stw_average_pool2d_##suffix##_pixel(                                                     \
        const struct stw_average_pool2d_##suffix##_params *p, const type *input,                             \
        struct stw_rectangle rectangle, int32_t multiplier, int32_t shift, type *output) {                   \
        const int32_t channels = p->window.output_channels;                                                  \
        const int32_t blocked = channels - channels % 4;                                                     \
        const int32_t offset = -p->input_zero_point * rectangle.rows * rectangle.columns;                    \
        int32_t sums[4];                                                                                     \
                                                                                                             \
        for (int32_t c = 0; c < blocked; c += 4) {                                                           \
            stw_sum_x4_##suffix(sums, offset, input + c, &rectangle);                                        \
            for (int32_t i = 0; i < 4; i++) {                                                                \
                output[c + i] = element(&p->output, sums[i], multiplier, shift);                             \
            }                                                                                                \
        }                                                                                                    \
        for (int32_t c = blocked; c < channels; c++) {                                                       \
            output[c] =                                                                                      \
                element(&p->output, stw_sum_##suffix(offset, input + c, rectangle), multiplier, shift);      \
        }                                                                                                    \
    }                                                                                                        \
                                                                                                             \
    STW_KERNEL void stw_average_pool2d_##suffix(const struct stw_average_pool2d_##suffix##_params *p,        \
                                                const type *input, const int32_t *multipliers,               \
                                                const int8_t *shifts, type *output) {                        \
        const struct stw_window *w = &p->window;                                                             \
                                                                                                             \
        for (int32_t i = 0; i < w->batches; i++) {                                                           \
            const int32_t n = stw_place(i, w->batches, p->backward);                                         \
            for (int32_t j = 0; j < w->output_height; j++) {                                                 \
                const int32_t oy = stw_place(j, w->output_height, p->backward);                              \
                for (int32_t k = 0; k < w->output_width; k++) {                                              \
                    const int32_t ox = stw_place(k, w->output_width, p->backward);                           \
                    const struct stw_taps taps = stw_window_taps(w, oy, ox);                                 \
                    const struct stw_rectangle rectangle = stw_taps_rectangle(w, taps);                      \
                    const int32_t at = p->output.per_channel ? rectangle.rows * rectangle.columns - 1 : 0;   \
                    stw_average_pool2d_##suffix##_pixel(p, input + stw_taps_offset(w, taps, n, oy, ox),      \
                                                        rectangle, multipliers[at], shifts[at],              \
                                                        output + stw_window_output(w, n, oy, ox));           \
                }                                                                                            \
            }                                                                                                \
        }                                                                                                    \
    }

STW_AVERAGE_POOL2D_KERNEL(s8, int8_t, stw_output_element_s8)
STW_AVERAGE_POOL2D_KERNEL(s16, int16_t, stw_output_word)

#endif
