/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The geometry of a window that slides over a volume [batch, depth, height, width, channels], for kernels that take any
 * number of spatial axes up to three: those that are absent have the extent 1, and leave no code.
 *
 * Along each axis output place o sees input places o * stride - pad + k * dilation for k in [0, kernel); those outside of
 * the volume are padding. Pads at the end follow from the output's extent.
 */
#ifndef STOWAGE_CORE_VOLUME_H
#define STOWAGE_CORE_VOLUME_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/window.h"

/* Arrays are (depth, height, width), in elements; all are positive but the pads, which are not negative. */
struct stw_volume {
    int32_t batches;
    int32_t input_channels;
    int32_t output_channels;
    int32_t input[3];
    int32_t output[3];
    int32_t kernel[3];
    int32_t stride[3];
    int32_t dilation[3];
    int32_t pad[3];
    int32_t output_gap; /* between an output pixel and the next, where these are part of wider ones */
};

/* Taps of a window along one axis that lie in the volume: [first, end). */
struct stw_tap_range {
    int32_t first;
    int32_t end;
};

/* Input place of output place o's first tap; negative in the padding. */
STW_KERNEL int32_t stw_volume_start(const struct stw_volume *v, int axis, int32_t o) {
    return o * v->stride[axis] - v->pad[axis];
}

/* The taps in the volume for output place o. */
STW_KERNEL struct stw_tap_range stw_volume_taps(const struct stw_volume *v, int axis, int32_t o) {
    const int32_t start = stw_volume_start(v, axis, o);
    const struct stw_tap_range range = {
        stw_taps_before(0, start, v->dilation[axis], v->kernel[axis]),
        stw_taps_before(v->input[axis], start, v->dilation[axis], v->kernel[axis]),
    };

    return range;
}

/* Elements before input pixel (z, y, x) of one of the batch. */
STW_KERNEL int32_t stw_volume_offset(const struct stw_volume *v, int32_t z, int32_t y, int32_t x) {
    return ((z * v->input[1] + y) * v->input[2] + x) * v->input_channels;
}

/* Elements of one of the batch. */
STW_KERNEL int32_t stw_volume_elements(const struct stw_volume *v) {
    return stw_volume_offset(v, v->input[0], 0, 0);
}

#endif /* STOWAGE_CORE_VOLUME_H */
