/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reading a tensor between its elements: the taps of one axis around a coordinate that is computed at run time.
 *
 * Whatever the coordinate, be it infinite or no number, places are inside of the axis, and taps that would lie outside have
 * weight 0 where the caller asks for zeros there. No branches on data.
 */
#ifndef STOWAGE_CORE_AXIS_TAPS_H
#define STOWAGE_CORE_AXIS_TAPS_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/round.h"

#define STW_MOST_TAPS 4

/* Elements of an axis and their weights. */
struct stw_axis_taps {
    int32_t places[STW_MOST_TAPS];
    float weights[STW_MOST_TAPS];
};

/* A coordinate brought near enough to the axis to be counted in integers; it stays outside if it was. */
STW_KERNEL float stw_near_axis_f32(float coordinate, int32_t extent) {
    return stw_clamp_f32(coordinate, -4.0f, (float)extent + 4.0f);
}

/* -1 where a place is an element of the axis, else 0. */
STW_KERNEL int32_t stw_mask_inside(int32_t place, int32_t extent) {
    return ~(place >> 31) & ((place - extent) >> 31);
}

/* The two elements that a coordinate lies between, and how near it is to each. */
STW_KERNEL void stw_linear_taps(struct stw_axis_taps *taps, float coordinate) {
    const float below = stw_floor_f32(coordinate);
    const float fraction = coordinate - below;

    taps->places[0] = (int32_t)below;
    taps->places[1] = (int32_t)below + 1;
    taps->weights[0] = 1.0f - fraction;
    taps->weights[1] = fraction;
}

/* Takes the weight from taps outside of the axis, and moves these inside. */
STW_KERNEL void stw_zeros_outside(struct stw_axis_taps *taps, int32_t count, int32_t extent) {
    for (int32_t k = 0; k < count; ++k) {
        const int32_t inside = stw_mask_inside(taps->places[k], extent);

        taps->weights[k] = stw_choose_f32(inside, taps->weights[k], 0.0f);
        taps->places[k] = stw_clamp(taps->places[k], 0, extent - 1);
    }
}

#endif /* STOWAGE_CORE_AXIS_TAPS_H */
