/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Regions of an image brought to one size by bilinear samples, as ONNX RoiAlign defines it.
 *
 *   input    float [batch, height, width, channel]
 *   regions  float [region, 4]: x and y of the first corner, x and y of the other, in units of 1 / scale pixels
 *   indices  int64 [region]: which of the batch; negative ones count from the end, others outside are the nearest inside
 *   output   float [region, bins[0], bins[1], channel]
 *
 * Each bin of a region is sampled at samples x samples places. An output number is the mean of the samples, or with
 * `largest` the largest product of a pixel and its weight in them. Samples further than a pixel from the image are 0.
 * Nothing may overlap. Corners may be any numbers; control flow does not depend on them.
 */
#ifndef STOWAGE_KERNELS_ROI_ALIGN_F32_H
#define STOWAGE_KERNELS_ROI_ALIGN_F32_H

#include <stdint.h>

#include "stowage/core/axis_taps.h"
#include "stowage/core/kernel.h"
#include "stowage/kernels/index.h"
#include "stowage/kernels/max_pool2d_f32.h"

struct stw_roi_align_f32_params {
    int32_t batches;
    int32_t input[2]; /* height, width */
    int32_t channels;
    int32_t regions;
    int32_t bins[2];
    int32_t samples;
    float scale;
    int32_t
        half_pixel; /* coordinates count from pixels' edges; else from centres, and regions are a pixel at least */
    int32_t largest;
};

/* One axis of a region: where its first sample lies, and how far it is to the next. */
struct stw_roi_axis {
    float first;
    float step;
};

STW_KERNEL struct stw_roi_axis stw_roi_axis_of(const struct stw_roi_align_f32_params *p, int axis,
                                               float start, float end) {
    const float offset = p->half_pixel ? 0.5f : 0.0f;
    const float from = start * p->scale - offset;
    const float length = (end * p->scale - offset) - from;
    const float at_least = p->half_pixel ? length : stw_clamp_f32(length, 1.0f, STW_INFINITY);
    struct stw_roi_axis along;

    along.step = at_least / (float)p->bins[axis] / (float)p->samples;
    along.first = from + along.step * 0.5f;
    return along;
}

/* The taps of one sample along an axis; the image's edge goes on for a pixel. */
STW_KERNEL void stw_roi_taps(struct stw_axis_taps *taps, float coordinate, int32_t extent) {
    const float near = stw_near_axis_f32(coordinate, extent);
    const int32_t unseen = -(int32_t)(near < -1.0f) | -(int32_t)(near > (float)extent);

    stw_linear_taps(taps, stw_clamp_f32(near, 0.0f, (float)(extent - 1)));
    taps->places[1] = stw_minimum(taps->places[1], extent - 1);
    taps->weights[0] = stw_choose_f32(unseen, 0.0f, taps->weights[0]);
    taps->weights[1] = stw_choose_f32(unseen, 0.0f, taps->weights[1]);
}

/* Adds one sample to all channels of an output pixel, or takes the larger. */
STW_KERNEL void stw_roi_sample(const struct stw_roi_align_f32_params *p, const float *image,
                               const struct stw_axis_taps *down, const struct stw_axis_taps *across,
                               float *output) {
    for (int32_t j = 0; j < 2; ++j) {
        for (int32_t i = 0; i < 2; ++i) {
            const float *pixel = image + (down->places[j] * p->input[1] + across->places[i]) * p->channels;
            const float weight = down->weights[j] * across->weights[i];

            for (int32_t c = 0; c < p->channels; ++c) {
                const float product = weight * pixel[c];

                output[c] = p->largest ? stw_maximum_f32(output[c], product) : output[c] + product;
            }
        }
    }
}

/* One output pixel, the bin (row, column) of a region. */
STW_KERNEL void stw_roi_bin(const struct stw_roi_align_f32_params *p, const float *image,
                            const struct stw_roi_axis *axes, int32_t row, int32_t column, float *output) {
    const float count = (float)(p->samples * p->samples);
    struct stw_axis_taps down, across;

    for (int32_t c = 0; c < p->channels; ++c) {
        output[c] = p->largest ? -STW_INFINITY : 0.0f;
    }
    for (int32_t j = 0; j < p->samples; ++j) {
        stw_roi_taps(&down, axes[0].first + (float)(row * p->samples + j) * axes[0].step, p->input[0]);
        for (int32_t i = 0; i < p->samples; ++i) {
            stw_roi_taps(&across, axes[1].first + (float)(column * p->samples + i) * axes[1].step,
                         p->input[1]);
            stw_roi_sample(p, image, &down, &across, output);
        }
    }
    for (int32_t c = 0; c < p->channels && !p->largest; ++c) {
        output[c] /= count;
    }
}

STW_KERNEL void stw_roi_align_f32(const struct stw_roi_align_f32_params *p, const float *input,
                                  const float *regions, const int64_t *indices, float *output) {
    const int32_t image_elements = p->input[0] * p->input[1] * p->channels;

    for (int32_t r = 0; r < p->regions; ++r) {
        const float *image = input + stw_place_s64(indices[r], p->batches) * image_elements;
        const struct stw_roi_axis axes[2] = {
            stw_roi_axis_of(p, 0, regions[4 * r + 1], regions[4 * r + 3]),
            stw_roi_axis_of(p, 1, regions[4 * r], regions[4 * r + 2]),
        };

        for (int32_t row = 0; row < p->bins[0]; ++row) {
            for (int32_t column = 0; column < p->bins[1]; ++column) {
                stw_roi_bin(p, image, axes, row, column, output);
                output += p->channels;
            }
        }
    }
}

#endif /* STOWAGE_KERNELS_ROI_ALIGN_F32_H */
