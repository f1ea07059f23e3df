/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A volume or image sampled where a grid says, as ONNX GridSample defines it.
 *
 *   input   float [batch, depth, height, width, channel]; an image has the depth 1
 *   grid    float [batch, pixel, axes], coordinates (x, y) or (x, y, z) from -1 to 1
 *   output  float [batch, pixel, channel]
 *
 * The coordinates of an axis' ends, -1 and 1, are the centres of its first and last element if align_corners, else their outer
 * edges. Beyond them comes what `padding` says: for a cubic, the border's element wherever a tap is outside, as PyTorch and
 * ONNX Runtime have it. Nothing may overlap. Coordinates may be any numbers; control flow does not depend on them.
 */
#ifndef STOWAGE_KERNELS_GRID_SAMPLE_F32_H
#define STOWAGE_KERNELS_GRID_SAMPLE_F32_H

#include <stdint.h>

#include "stowage/core/axis_taps.h"
#include "stowage/core/kernel.h"
#include "stowage/core/round.h"

enum stw_grid_padding { STW_GRID_ZEROS = 0, STW_GRID_BORDER = 1, STW_GRID_REFLECTION = 2 };

struct stw_grid_sample_f32_params {
    int32_t batches;
    int32_t pixels; /* of one of the batch of outputs */
    int32_t channels;
    int32_t axes; /* 2 or 3 */
    int32_t input[3];
    int32_t taps;    /* 1: nearest, 2: linear, 4: cubic */
    int32_t padding; /* enum stw_grid_padding */
    int32_t align_corners;
};

/* A coordinate reflected at both ends, `length` apart, of an axis that begins at `start`, until it is between them. */
STW_KERNEL float stw_reflected_f32(float coordinate, float start, float length) {
    const float offset = coordinate - start;
    const float period = 2.0f * length;
    const float rest = offset - stw_floor_f32(offset / period) * period;

    return length > 0.0f ? start + (length - stw_size_f32(rest - length)) : start;
}

/* The coordinate along an axis in elements. */
STW_KERNEL float stw_grid_coordinate(const struct stw_grid_sample_f32_params *p, int axis, float coordinate) {
    const int32_t extent = p->input[axis];
    const float start = p->align_corners ? 0.0f : -0.5f;
    const float length = (float)(p->align_corners ? extent - 1 : extent);
    float x = (coordinate + 1.0f) / 2.0f * length + start;
    int32_t outside;

    if (p->taps == 1) {
        x = stw_nearest_f32(x);
    }
    outside = -(int32_t)(x < start) | -(int32_t)(x > start + length);
    if (p->padding == STW_GRID_BORDER && p->taps < 4) {
        x = stw_choose_f32(outside, stw_clamp_f32(x, 0.0f, (float)(extent - 1)), x);
    } else if (p->padding == STW_GRID_REFLECTION) {
        x = stw_choose_f32(outside, stw_reflected_f32(x, start, length), x);
    }
    return stw_near_axis_f32(x, extent);
}

/* Cubic convolution over four elements, with the coefficient -0.75. */
STW_KERNEL void stw_cubic_taps(struct stw_axis_taps *taps, float coordinate) {
    const float below = stw_floor_f32(coordinate);
    const float after = coordinate - below;
    const float before = 1.0f - after;

    for (int32_t k = 0; k < 4; ++k) {
        taps->places[k] = (int32_t)below - 1 + k;
    }
    taps->weights[0] = ((-0.75f * (after + 1.0f) + 3.75f) * (after + 1.0f) - 6.0f) * (after + 1.0f) + 3.0f;
    taps->weights[1] = (1.25f * after - 2.25f) * after * after + 1.0f;
    taps->weights[2] = (1.25f * before - 2.25f) * before * before + 1.0f;
    taps->weights[3] = ((-0.75f * (before + 1.0f) + 3.75f) * (before + 1.0f) - 6.0f) * (before + 1.0f) + 3.0f;
}

/* An element's place after reflection at the ends; at most four elements beyond them. */
STW_KERNEL int32_t stw_reflected_place(int32_t place, int32_t extent, int32_t align_corners) {
    const int32_t period = align_corners ? 2 * (extent - 1) : 2 * extent;
    const int32_t wrapped = period > 0 ? (place + 8 * period) % period : 0;
    const int32_t mirrored = align_corners ? period - wrapped : period - 1 - wrapped;

    return stw_clamp(stw_minimum(wrapped, mirrored), 0, extent - 1);
}

/* The taps of one axis. */
STW_KERNEL void stw_grid_taps(const struct stw_grid_sample_f32_params *p, int axis, float coordinate,
                              struct stw_axis_taps *taps) {
    const float x = stw_grid_coordinate(p, axis, coordinate);
    const int32_t extent = p->input[axis];

    if (p->taps == 1) {
        taps->places[0] = (int32_t)stw_floor_f32(x);
        taps->weights[0] = 1.0f;
    } else if (p->taps == 2) {
        stw_linear_taps(taps, x);
    } else {
        stw_cubic_taps(taps, x);
    }
    if (p->padding == STW_GRID_ZEROS) {
        stw_zeros_outside(taps, p->taps, extent);
        return;
    }
    for (int32_t k = 0; k < p->taps; ++k) {
        taps->places[k] = p->padding == STW_GRID_BORDER
                              ? stw_clamp(taps->places[k], 0, extent - 1)
                              : stw_reflected_place(taps->places[k], extent, p->align_corners);
    }
}

/* One channel of one pixel: products of weights, the innermost axis first. */
STW_KERNEL float stw_grid_sum(const struct stw_grid_sample_f32_params *p, const float *input,
                              const struct stw_axis_taps *taps) {
    const int32_t planes = p->axes == 3 ? p->taps : 1;
    float sum = 0.0f;

    for (int32_t k = 0; k < planes; ++k) {
        float plane = 0.0f;

        for (int32_t j = 0; j < p->taps; ++j) {
            const int32_t row = (taps[0].places[k] * p->input[1] + taps[1].places[j]) * p->input[2];
            float line = 0.0f;

            for (int32_t i = 0; i < p->taps; ++i) {
                line += taps[2].weights[i] * input[(row + taps[2].places[i]) * p->channels];
            }
            plane += taps[1].weights[j] * line;
        }
        sum += taps[0].weights[k] * plane;
    }
    return sum;
}

STW_KERNEL void stw_grid_sample_f32(const struct stw_grid_sample_f32_params *p, const float *input,
                                    const float *grid, float *output) {
    struct stw_axis_taps taps[3] = {{{0}, {1.0f}}, {{0}, {1.0f}}, {{0}, {1.0f}}};

    for (int32_t n = 0; n < p->batches; ++n) {
        for (int32_t pixel = 0; pixel < p->pixels; ++pixel) {
            for (int axis = 0; axis < p->axes; ++axis) {
                stw_grid_taps(p, 2 - axis, grid[axis], &taps[2 - axis]);
            }
            for (int32_t c = 0; c < p->channels; ++c) {
                *output++ = stw_grid_sum(p, input + c, taps);
            }
            grid += p->axes;
        }
        input += p->input[0] * p->input[1] * p->input[2] * p->channels;
    }
}

#endif /* STOWAGE_KERNELS_GRID_SAMPLE_F32_H */
