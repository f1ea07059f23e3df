/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs of bytes taken from the input at tabulated places: reflecting and repeating pads, resizing by the
 * nearest neighbour.
 *
 *     output[i0, …, i4] = the run_bytes bytes at
 *                         input + begin + places[starts[0] + i0] + … + places[starts[4] + i4]
 *
 * The output has extents[0] * … * extents[4] runs one after the other; the last extent is 1 and stands for
 * the run. places holds a byte offset for each index of each axis of more than one; an axis of one has no
 * entry and adds nothing. Nothing but `places` needs alignment.
 *
 * In place: run by run from the first on, or with `backward` from the last. The safe distance in bytes is, or 0 if that
 * is negative,
 *
 *     sum over the axes k of (largest over i of i * output stride in bytes - places[starts[k] + i]) - begin
 *
 * Backward i and places count from their ends, and `begin` is what lies in the input behind the last of the runs.
 */
#ifndef STOWAGE_KERNELS_SAMPLE_H
#define STOWAGE_KERNELS_SAMPLE_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/walk.h"
#include "stowage/core/word.h"

struct stw_sample_runs_params {
    int32_t extents[STW_AXES];    /* each at least 1, the last one 1 */
    int32_t starts[STW_AXES - 1]; /* index of each axis's first entry in places */
    int32_t begin;                /* bytes */
    int32_t run_bytes;
    int32_t backward; /* whether the last run is made first */
};

/* What one axis adds to the place. */
STW_KERNEL int32_t stw_sample_place(const struct stw_sample_runs_params *p, const struct stw_walk *walk,
                                    const int32_t *places, int axis) {
    return p->extents[axis] == 1
               ? 0
               : places[p->starts[axis] + stw_place(walk->index[axis], p->extents[axis], p->backward)];
}

STW_KERNEL void stw_sample_runs(const struct stw_sample_runs_params *p, const uint8_t *input,
                                const int32_t *places, uint8_t *output) {
    struct stw_walk walk = {{0}};

    output += stw_walk_begin(p->extents, p->run_bytes, p->backward);
    do {
        const int32_t place = stw_sample_place(p, &walk, places, 0) + stw_sample_place(p, &walk, places, 1) +
                              stw_sample_place(p, &walk, places, 2) + stw_sample_place(p, &walk, places, 3) +
                              stw_sample_place(p, &walk, places, 4) + stw_sample_place(p, &walk, places, 5) +
                              stw_sample_place(p, &walk, places, 6);

        output -= stw_down(p->run_bytes, p->backward);
        stw_copy_walking(output, input + p->begin + place, p->run_bytes, p->backward);
        output += stw_up(p->run_bytes, p->backward);
    } while (stw_walk_next(&walk, p->extents));
}

#endif /* STOWAGE_KERNELS_SAMPLE_H */
