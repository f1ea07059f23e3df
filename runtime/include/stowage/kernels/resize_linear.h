/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Bilinear interpolation of an image: input [batch, H, W, channels] -> output [batch, height, width,
 * channels].
 *
 * An output row lies between two input rows, an output column between two input columns; the compiler has
 * tabulated both:
 *
 *   places    2 * height + 2 * width offsets into an image, in elements: the two rows of each output row
 *             (multiples of W * channels), then the two columns of each output column (multiples of channels)
 *   fractions height + width weights of the second row, then of the second column, 0 … 1
 *
 * stw_resize_linear_f32 has float fractions. stw_resize_linear_s8 has them as integers of STW_FRACTION_BITS
 * fraction bits, rounds the exact sum once, halves upwards, and keeps scale and zero point, which weights
 * that sum to one leave alone. stw_resize_linear_tflite_s8 and stw_resize_linear_tflite_s16 round halves away
 * from zero, as TensorFlow Lite does.
 *
 * In place: pixel by pixel, and channel by channel, from the first on, or with `backward` from the last. The safe
 * distance in bytes is the largest, over the output's pixels, of the bytes of output before the pixel less the offset of
 * the pixel's first row and column, or 0 if that is negative; for a batch of more than one the images before it are
 * counted on both sides. Backward everything is counted from the ends, and the last row and column are the pixel's.
 */
#ifndef STOWAGE_KERNELS_RESIZE_LINEAR_H
#define STOWAGE_KERNELS_RESIZE_LINEAR_H

#include <stdint.h>

#include "stowage/core/kernel.h"

/* The four corners' weights have twice as many; with an int8 element the sum stays below 2^30. */
#define STW_FRACTION_BITS 11

/* a * (1 - fraction) + b * fraction */
STW_KERNEL float stw_between_f32(float a, float b, float fraction) {
    return a + (b - a) * fraction;
}

/* The same with STW_FRACTION_BITS more fraction bits than a and b have. */
STW_KERNEL int32_t stw_between_s32(int32_t a, int32_t b, int32_t fraction) {
    return a * (1 << STW_FRACTION_BITS) + (b - a) * fraction;
}

/* The same for 16-bit elements, whose corners' sums have up to 38 bits. */
STW_KERNEL int64_t stw_between_s64(int64_t a, int64_t b, int32_t fraction) {
    return a * (1 << STW_FRACTION_BITS) + (b - a) * fraction;
}

STW_KERNEL float stw_finish_between_f32(float value) {
    return value;
}

/* Half of one. */
#define STW_HALF_BETWEEN (1 << (2 * STW_FRACTION_BITS - 1))

STW_KERNEL int8_t stw_finish_between_s32(int32_t value) {
    return (int8_t)((value + STW_HALF_BETWEEN) >> (2 * STW_FRACTION_BITS));
}

/* A negative value has a little less than a half added, so that halves go away from zero. */
STW_KERNEL int8_t stw_finish_between_away_s32(int32_t value) {
    return (int8_t)((value + STW_HALF_BETWEEN + (value >> 31)) >> (2 * STW_FRACTION_BITS));
}

STW_KERNEL int16_t stw_finish_between_away_s64(int64_t value) {
    return (int16_t)((value + STW_HALF_BETWEEN + (value >> 63)) >> (2 * STW_FRACTION_BITS));
}

/* `sum_type`, that stw_between_<exact> gives, holds sums over two elements, and over four; `finish` rounds these. */
#define STW_RESIZE_LINEAR_KERNEL(suffix, type, fraction_type, sum_type, exact, finish)                       \
    struct stw_resize_linear_##suffix##_params {                                                             \
        int32_t batch;                                                                                       \
        int32_t height;                                                                                      \
        int32_t width;                                                                                       \
        int32_t channels;                                                                                    \
        int32_t image_elements; /* H * W * channels */                                                       \
        int32_t backward;       /* whether the last pixel is made first */                                   \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL type *stw_resize_row_##suffix(const struct stw_resize_linear_##suffix##_params *p,            \
                                             const type *upper, const type *lower, const int32_t *columns,   \
                                             const fraction_type *fractions, fraction_type down, type *to) { \
        for (int32_t step = 0; step < p->width; ++step) {                                                    \
            const int32_t x = stw_place(step, p->width, p->backward);                                        \
            const int32_t left = columns[2 * x];                                                             \
            const int32_t right = columns[2 * x + 1];                                                        \
                                                                                                             \
            for (int32_t k = 0; k < p->channels; ++k) {                                                      \
                const int32_t c = stw_place(k, p->channels, p->backward);                                    \
                const sum_type top = stw_between_##exact(upper[left + c], upper[right + c], fractions[x]);   \
                const sum_type bottom =                                                                      \
                    stw_between_##exact(lower[left + c], lower[right + c], fractions[x]);                    \
                                                                                                             \
                to -= stw_down(1, p->backward);                                                              \
                *to = stw_finish_between_##finish(stw_between_##exact(top, bottom, down));                   \
                to += stw_up(1, p->backward);                                                                \
            }                                                                                                \
        }                                                                                                    \
        return to;                                                                                           \
    }                                                                                                        \
                                                                                                             \
    STW_KERNEL void stw_resize_linear_##suffix(const struct stw_resize_linear_##suffix##_params *p,          \
                                               const type *input, const int32_t *places,                     \
                                               const fraction_type *fractions, type *output) {               \
        input += stw_down(p->batch * p->image_elements, p->backward);                                        \
        output += stw_down(p->batch * p->height * p->width * p->channels, p->backward);                      \
        for (int32_t image = 0; image < p->batch; ++image) {                                                 \
            input -= stw_down(p->image_elements, p->backward);                                               \
            for (int32_t step = 0; step < p->height; ++step) {                                               \
                const int32_t y = stw_place(step, p->height, p->backward);                                   \
                                                                                                             \
                output = stw_resize_row_##suffix(p, input + places[2 * y], input + places[2 * y + 1],        \
                                                 places + 2 * p->height, fractions + p->height,              \
                                                 fractions[y], output);                                      \
            }                                                                                                \
            input += stw_up(p->image_elements, p->backward);                                                 \
        }                                                                                                    \
    }

STW_RESIZE_LINEAR_KERNEL(f32, float, float, float, f32, f32)
STW_RESIZE_LINEAR_KERNEL(s8, int8_t, int32_t, int32_t, s32, s32)
STW_RESIZE_LINEAR_KERNEL(tflite_s8, int8_t, int32_t, int32_t, s32, away_s32)
STW_RESIZE_LINEAR_KERNEL(tflite_s16, int16_t, int32_t, int64_t, s64, away_s64)

#endif /* STOWAGE_KERNELS_RESIZE_LINEAR_H */
