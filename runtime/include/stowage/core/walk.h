/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Walking over the rows of a tensor of up to eight axes in row-major order. A row is the last axis; the walk
 * counts over the other seven. Extents are at least 1 and known when the kernel is compiled, so that axes of
 * extent 1 leave no code.
 *
 *     struct stw_walk walk = {{0}};
 *
 *     do {
 *         ... the row that begins at input + stw_walk_offset(&walk, p->strides) ...
 *     } while (stw_walk_next(&walk, p->extents));
 */
#ifndef STOWAGE_CORE_WALK_H
#define STOWAGE_CORE_WALK_H

#include <stdbool.h>
#include <stdint.h>

#include "stowage/core/kernel.h"

#define STW_AXES 8

/* Where a walk is: the index along each axis but the last. */
struct stw_walk {
    int32_t index[STW_AXES - 1];
};

/* Goes on along one axis; at its end goes back to its begin and returns false. */
STW_KERNEL bool stw_walk_along(struct stw_walk *walk, const int32_t *extents, int axis) {
    walk->index[axis] += 1;
    if (walk->index[axis] < extents[axis]) {
        return true;
    }
    walk->index[axis] = 0;
    return false;
}

/* Goes on to the next row; returns false after the last one. */
STW_KERNEL bool stw_walk_next(struct stw_walk *walk, const int32_t *extents) {
    return stw_walk_along(walk, extents, 6) || stw_walk_along(walk, extents, 5) ||
           stw_walk_along(walk, extents, 4) || stw_walk_along(walk, extents, 3) ||
           stw_walk_along(walk, extents, 2) || stw_walk_along(walk, extents, 1) ||
           stw_walk_along(walk, extents, 0);
}

/* Where the row at these indices begins in a tensor with these strides, in the strides' unit. */
STW_KERNEL int32_t stw_row_offset(const int32_t *index, const int32_t *strides) {
    return index[0] * strides[0] + index[1] * strides[1] + index[2] * strides[2] + index[3] * strides[3] +
           index[4] * strides[4] + index[5] * strides[5] + index[6] * strides[6];
}

/* The same for the row that a walk is at. */
STW_KERNEL int32_t stw_walk_offset(const struct stw_walk *walk, const int32_t *strides) {
    return stw_row_offset(walk->index, strides);
}

/* The same for the last row. */
STW_KERNEL int32_t stw_last_row_offset(const int32_t *extents, const int32_t *strides) {
    const int32_t last[STW_AXES - 1] = {
        extents[0] - 1, extents[1] - 1, extents[2] - 1, extents[3] - 1,
        extents[4] - 1, extents[5] - 1, extents[6] - 1,
    };

    return stw_row_offset(last, strides);
}

/* The same for a walk that, where `backward` (a constant) says so, takes the last row first. */
STW_KERNEL int32_t stw_walk_place(const struct stw_walk *walk, const int32_t *extents, const int32_t *strides,
                                  int32_t backward) {
    const int32_t passed = stw_walk_offset(walk, strides);

    return backward ? stw_last_row_offset(extents, strides) - passed : passed;
}

/* Where writing begins, of rows of `width` each: backward (a constant) at the output's end. */
STW_KERNEL int32_t stw_walk_begin(const int32_t *extents, int32_t width, int32_t backward) {
    const int32_t rows =
        extents[0] * extents[1] * extents[2] * extents[3] * extents[4] * extents[5] * extents[6];

    return backward ? rows * width : 0;
}

#endif /* STOWAGE_CORE_WALK_H */
