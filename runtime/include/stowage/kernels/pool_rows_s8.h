/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The mean of a whole int8 image that is made a few rows at a time: sums of the integers as they are, and the mean of these.
 *
 *   input        int8  [pixel, channel], some rows of the image
 *   earlier      int32 [channel], the sums of the rows before
 *   sums         int32 [channel]
 *   multipliers  int32 [1], shifts int8 [1]: as average_pool2d_quantised.h has them
 *   output       int8  [channel] = clamp(zero point + requantise(sum + offset)), where the offset takes the input's zero point
 *                off each pixel
 *
 * Overflow: the compiler has checked that 2^8 * the image's pixels is below 2^30.
 * Order: channels ascend; each is written after all that it is made of is read.
 * Overlap: sums may lie over the earlier ones, and the mean over the sums, at their starts or below.
 */
#ifndef STOWAGE_KERNELS_POOL_ROWS_S8_H
#define STOWAGE_KERNELS_POOL_ROWS_S8_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/output_s8.h"

struct stw_pool_sum_s8_params {
    int32_t pixels;
    int32_t channels;
};

struct stw_pool_sum_more_s8_params {
    int32_t pixels;
    int32_t channels;
};

struct stw_pool_mean_s8_params {
    int32_t channels;
    int32_t offset;
    struct stw_output_s8 output;
};

/* The sum of one channel, from `sum` on. */
STW_KERNEL int32_t stw_pool_channel_s8(int32_t sum, const int8_t *input, int32_t pixels, int32_t channels) {
    for (int32_t i = 0; i < pixels; i++) {
        sum += input[i * channels];
    }
    return sum;
}

STW_KERNEL void stw_pool_sum_s8(const struct stw_pool_sum_s8_params *p, const int8_t *input, int32_t *sums) {
    for (int32_t c = 0; c < p->channels; c++) {
        sums[c] = stw_pool_channel_s8(0, input + c, p->pixels, p->channels);
    }
}

STW_KERNEL void stw_pool_sum_more_s8(const struct stw_pool_sum_more_s8_params *p, const int8_t *input,
                                     const int32_t *earlier, int32_t *sums) {
    for (int32_t c = 0; c < p->channels; c++) {
        sums[c] = stw_pool_channel_s8(earlier[c], input + c, p->pixels, p->channels);
    }
}

STW_KERNEL void stw_pool_mean_s8(const struct stw_pool_mean_s8_params *p, const int32_t *sums,
                                 const int32_t *multipliers, const int8_t *shifts, int8_t *output) {
    for (int32_t c = 0; c < p->channels; c++) {
        output[c] = stw_output_element_s8(&p->output, sums[c] + p->offset, multipliers[0], shifts[0]);
    }
}

#endif
