/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A block of the input with a constant around it, for elements of 8, 16, 32 or 64 bits that are aligned to
 * their size.
 *
 * Shapes: the output has `extents`, eight axes after the compiler has merged what it can, filled up in front
 * with ones. Along axis k the elements before[k] … before[k] + block[k] - 1 come from the input, the others
 * are `value`:
 *
 *     output[before + i] = input[begin + i0 * strides[0] + … + i6 * strides[6] + i7]    for 0 <= i < block
 *
 * In place: walks forward, row by row. With the output's own row-major strides the safe distance in bytes is,
 * or 0 if that is negative,
 *
 *     size * (sum of before * output stride - begin + sum over the axes but the last of
 *             max(0, output stride - stride) * (block - 1))
 */
#ifndef STOWAGE_KERNELS_PAD_H
#define STOWAGE_KERNELS_PAD_H

#include <stdbool.h>
#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/walk.h"
#include "stowage/core/word.h"

/* Whether the index along one axis lies in the block; a negative difference is a large unsigned number. */
STW_KERNEL bool stw_pad_inside(const struct stw_walk *walk, const int32_t *before, const int32_t *block,
                               int axis) {
    return (uint32_t)(walk->index[axis] - before[axis]) < (uint32_t)block[axis];
}

/* Whether the row that the walk is at holds elements of the input. */
STW_KERNEL bool stw_pad_row_inside(const struct stw_walk *walk, const int32_t *before, const int32_t *block) {
    return stw_pad_inside(walk, before, block, 0) && stw_pad_inside(walk, before, block, 1) &&
           stw_pad_inside(walk, before, block, 2) && stw_pad_inside(walk, before, block, 3) &&
           stw_pad_inside(walk, before, block, 4) && stw_pad_inside(walk, before, block, 5) &&
           stw_pad_inside(walk, before, block, 6);
}

#define STW_PAD_KERNEL(bits, value_type)                                                                     \
    struct stw_pad_u##bits##_params {                                                                        \
        int32_t extents[STW_AXES]; /* of the output, each at least 1 */                                      \
        int32_t before[STW_AXES];                                                                            \
        int32_t block[STW_AXES];   /* 0 <= before and before + block <= extents */                           \
        int32_t strides[STW_AXES]; /* of the input, elements; the last one is 1 */                           \
        int32_t begin;             /* elements */                                                            \
        value_type value;          /* the added elements' bits, sign-extended */                             \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL stw_word##bits *stw_fill_u##bits(stw_word##bits *to, int32_t elements,                        \
                                                stw_word##bits value) {                                      \
        for (int32_t i = 0; i < elements; ++i) {                                                             \
            to[i] = value;                                                                                   \
        }                                                                                                    \
        return to + elements;                                                                                \
    }                                                                                                        \
                                                                                                             \
    STW_KERNEL void stw_pad_u##bits(const struct stw_pad_u##bits##_params *p, const uint##bits##_t *input,   \
                                    uint##bits##_t *output) {                                                \
        const int32_t first = p->begin - stw_row_offset(p->before, p->strides);                              \
        const stw_word##bits value = (stw_word##bits)p->value;                                               \
        const int32_t left = p->before[STW_AXES - 1];                                                        \
        const int32_t width = p->block[STW_AXES - 1];                                                        \
        const int32_t right = p->extents[STW_AXES - 1] - left - width;                                       \
        stw_word##bits *to = (stw_word##bits *)output;                                                       \
        struct stw_walk walk = {{0}};                                                                        \
                                                                                                             \
        do {                                                                                                 \
            if (stw_pad_row_inside(&walk, p->before, p->block)) {                                            \
                const uint##bits##_t *row = input + (first + stw_walk_offset(&walk, p->strides));            \
                                                                                                             \
                to = stw_fill_u##bits(to, left, value);                                                      \
                stw_copy_upwards((uint8_t *)to, (const uint8_t *)row, width * (bits / 8));                   \
                to = stw_fill_u##bits(to + width, right, value);                                             \
            } else {                                                                                         \
                to = stw_fill_u##bits(to, p->extents[STW_AXES - 1], value);                                  \
            }                                                                                                \
        } while (stw_walk_next(&walk, p->extents));                                                          \
    }

STW_PAD_KERNEL(8, int32_t)
STW_PAD_KERNEL(16, int32_t)
STW_PAD_KERNEL(32, int32_t)
STW_PAD_KERNEL(64, int64_t)

#endif /* STOWAGE_KERNELS_PAD_H */
