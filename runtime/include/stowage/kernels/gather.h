/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Output elements taken from the input at a fixed stride along each axis: transpositions and slices.
 *
 *     output[i0, …, i7] = input[begin + i0 * strides[0] + … + i7 * strides[7]]
 *
 * Shapes: the output has `extents`, eight axes after the compiler has merged what it can, filled up in front
 * with ones; it is written row by row. Strides may be negative.
 *
 *   stw_gather_u8, _u16, _u32, _u64  move elements of that many bits, aligned to their size; begin and
 *                                    strides are in elements
 *   stw_gather_runs                  moves runs of `run_bytes` bytes; the last axis is the run (extents[7] =
 *                                    strides[7] = 1), begin and strides are in bytes
 *
 * In place: writes the output from its first element (or run) on, or with `backward` from its last, and reads
 * each before it writes it. The safe distance in bytes is
 *
 *     size * (sum over axes of max(0, output stride - stride) * (extent - 1) - begin), or 0 if negative,
 *
 * with size the element's (1 for runs) and the output's own row-major strides: no element is later in the
 * output than in the input by more than that. Backward `begin` counts from the input's end: it is the elements
 * (bytes) behind the one that is read first.
 */
#ifndef STOWAGE_KERNELS_GATHER_H
#define STOWAGE_KERNELS_GATHER_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/walk.h"
#include "stowage/core/word.h"

#define STW_GATHER_KERNEL(bits)                                                                              \
    struct stw_gather_u##bits##_params {                                                                     \
        int32_t extents[STW_AXES]; /* each at least 1 */                                                     \
        int32_t strides[STW_AXES]; /* of the input, elements */                                              \
        int32_t begin;             /* elements */                                                            \
        int32_t backward;          /* whether the last element is made first */                              \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void stw_gather_u##bits(const struct stw_gather_u##bits##_params *p,                          \
                                       const uint##bits##_t *input, uint##bits##_t *output) {                \
        const stw_word##bits *from = (const stw_word##bits *)input + p->begin;                               \
        const int32_t width = p->extents[STW_AXES - 1];                                                      \
        stw_word##bits *to = (stw_word##bits *)output + stw_walk_begin(p->extents, width, p->backward);      \
        struct stw_walk walk = {{0}};                                                                        \
                                                                                                             \
        do {                                                                                                 \
            const stw_word##bits *row = from + stw_walk_place(&walk, p->extents, p->strides, p->backward);   \
                                                                                                             \
            for (int32_t i = 0; i < width; ++i) {                                                            \
                to -= stw_down(1, p->backward);                                                              \
                *to = row[stw_place(i, width, p->backward) * p->strides[STW_AXES - 1]];                      \
                to += stw_up(1, p->backward);                                                                \
            }                                                                                                \
        } while (stw_walk_next(&walk, p->extents));                                                          \
    }

STW_GATHER_KERNEL(8)
STW_GATHER_KERNEL(16)
STW_GATHER_KERNEL(32)
STW_GATHER_KERNEL(64)

struct stw_gather_runs_params {
    int32_t extents[STW_AXES]; /* each at least 1, the last one 1 */
    int32_t strides[STW_AXES]; /* of the input, bytes */
    int32_t begin;             /* bytes */
    int32_t run_bytes;
    int32_t backward; /* whether the last run is made first */
};

STW_KERNEL void stw_gather_runs(const struct stw_gather_runs_params *p, const uint8_t *input,
                                uint8_t *output) {
    struct stw_walk walk = {{0}};

    output += stw_walk_begin(p->extents, p->run_bytes, p->backward);
    do {
        const uint8_t *run = input + p->begin + stw_walk_place(&walk, p->extents, p->strides, p->backward);

        output -= stw_down(p->run_bytes, p->backward);
        stw_copy_walking(output, run, p->run_bytes, p->backward);
        output += stw_up(p->run_bytes, p->backward);
    } while (stw_walk_next(&walk, p->extents));
}

#endif /* STOWAGE_KERNELS_GATHER_H */
