/* SPDX-License-Identifier: Apache-2.0 */
/*
 * float32 convolution over a volume, an image or a signal, with groups, strides, dilation and padding by zeros, whose
 * weights may be computed at run time: they lie as they are made, and need no packing.
 *
 *   input    float [batch, depth, height, width, channel]
 *   weights  float [output channel, kernel depth, kernel height, kernel width, channel of the group]
 *   bias     float [output channel]
 *   output   float [batch, output depth, output height, output width, output channel]
 *
 * output = clamp(bias + sum over the window, in the order of the weights, of input * weight), rounded at every step.
 * Nothing may overlap.
 */
#ifndef STOWAGE_KERNELS_CONV3D_F32_H
#define STOWAGE_KERNELS_CONV3D_F32_H

#include <stdint.h>

#include "stowage/core/dot_f32.h"
#include "stowage/core/kernel.h"
#include "stowage/core/matrix_f32.h"
#include "stowage/core/volume.h"

struct stw_conv3d_f32_params {
    struct stw_volume volume;
    int32_t groups; /* divides both numbers of channels */
    struct stw_output_f32 output;
};

/* Adds a row of the window: taps `range` of the row that starts at `row`; in one go where they lie side by side. */
STW_KERNEL float stw_conv3d_f32_row(const struct stw_conv3d_f32_params *p, float sum, const float *row,
                                    const float *weights, struct stw_tap_range range) {
    const struct stw_volume *v = &p->volume;
    const int32_t taken = v->input_channels / p->groups;
    const int32_t step = v->dilation[2] * v->input_channels;

    if (step == taken) {
        return stw_dot_1x1_f32(sum, row + range.first * step, weights + range.first * taken,
                               (range.end - range.first) * taken);
    }
    for (int32_t i = range.first; i < range.end; ++i) {
        sum = stw_dot_1x1_f32(sum, row + i * step, weights + i * taken, taken);
    }
    return sum;
}

/* One output number: the window at output pixel (oz, oy, ox), from the first channel of its group on. */
STW_KERNEL float stw_conv3d_f32_sum(const struct stw_conv3d_f32_params *p, float sum, const float *input,
                                    const float *weights, int32_t oz, int32_t oy, int32_t ox) {
    const struct stw_volume *v = &p->volume;
    const struct stw_tap_range planes = stw_volume_taps(v, 0, oz);
    const struct stw_tap_range rows = stw_volume_taps(v, 1, oy);
    const int32_t taken = v->input_channels / p->groups;

    for (int32_t k = planes.first; k < planes.end; ++k) {
        for (int32_t j = rows.first; j < rows.end; ++j) {
            const int32_t row = stw_volume_offset(v, stw_volume_start(v, 0, oz) + k * v->dilation[0],
                                                  stw_volume_start(v, 1, oy) + j * v->dilation[1],
                                                  stw_volume_start(v, 2, ox));

            sum = stw_conv3d_f32_row(p, sum, input + row,
                                     weights + (k * v->kernel[1] + j) * v->kernel[2] * taken,
                                     stw_volume_taps(v, 2, ox));
        }
    }
    return sum;
}

STW_KERNEL void stw_conv3d_f32(const struct stw_conv3d_f32_params *p, const float *input,
                               const float *weights, const float *bias, float *output) {
    const struct stw_volume *v = &p->volume;
    const int32_t taken = v->input_channels / p->groups;
    const int32_t made = v->output_channels / p->groups;
    const int32_t filter = v->kernel[0] * v->kernel[1] * v->kernel[2] * taken;

    for (int32_t n = 0; n < v->batches; ++n) {
        for (int32_t oz = 0; oz < v->output[0]; ++oz) {
            for (int32_t oy = 0; oy < v->output[1]; ++oy) {
                for (int32_t ox = 0; ox < v->output[2]; ++ox) {
                    for (int32_t o = 0; o < v->output_channels; ++o) {
                        const float sum = stw_conv3d_f32_sum(p, bias[o], input + o / made * taken,
                                                             weights + o * filter, oz, oy, ox);

                        *output++ = stw_clamp_f32(sum, p->output.lowest, p->output.highest);
                    }
                }
            }
        }
        input += stw_volume_elements(v);
    }
}

#endif /* STOWAGE_KERNELS_CONV3D_F32_H */
