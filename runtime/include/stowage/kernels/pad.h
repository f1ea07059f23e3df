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
 * In place: row by row from the first on, or with `backward` from the last. With the output's own row-major strides
 * the safe distance in bytes is, or 0 if that is negative,
 *
 *     size * (sum of before * output stride - begin + sum over the axes but the last of
 *             max(0, output stride - stride) * (block - 1))
 *
 * Backward `before` is what comes behind the block along each axis, and `begin` the elements behind the block's last.
 */
#ifndef STOWAGE_KERNELS_PAD_H
#define STOWAGE_KERNELS_PAD_H

#include <stdbool.h>
#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/walk.h"
#include "stowage/core/word.h"

/* The parameters but the value and the way to walk. */
struct stw_pad_shape {
    int32_t extents[STW_AXES]; /* of the output, each at least 1 */
    int32_t before[STW_AXES];
    int32_t block[STW_AXES];   /* 0 <= before and before + block <= extents */
    int32_t strides[STW_AXES]; /* of the input, elements; the last one is 1 */
    int32_t begin;             /* elements */
};

/* Whether the index along one axis lies in the block; a negative difference is a large unsigned number. */
STW_KERNEL bool stw_pad_inside(const struct stw_pad_shape *p, const struct stw_walk *walk, int axis,
                               int32_t backward) {
    const int32_t index = stw_place(walk->index[axis], p->extents[axis], backward);

    return (uint32_t)(index - p->before[axis]) < (uint32_t)p->block[axis];
}

/* Whether the row that the walk is at holds elements of the input. */
STW_KERNEL bool stw_pad_row_inside(const struct stw_pad_shape *p, const struct stw_walk *walk,
                                   int32_t backward) {
    return stw_pad_inside(p, walk, 0, backward) && stw_pad_inside(p, walk, 1, backward) &&
           stw_pad_inside(p, walk, 2, backward) && stw_pad_inside(p, walk, 3, backward) &&
           stw_pad_inside(p, walk, 4, backward) && stw_pad_inside(p, walk, 5, backward) &&
           stw_pad_inside(p, walk, 6, backward);
}

#define STW_PAD_KERNEL(bits, value_type)                                                                     \
    struct stw_pad_u##bits##_params {                                                                        \
        struct stw_pad_shape shape;                                                                          \
        value_type value; /* the added elements' bits, sign-extended */                                      \
        int32_t backward; /* whether the last row is made first */                                           \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void stw_fill_u##bits(stw_word##bits *to, int32_t elements, stw_word##bits value) {           \
        for (int32_t i = 0; i < elements; ++i) {                                                             \
            to[i] = value;                                                                                   \
        }                                                                                                    \
    }                                                                                                        \
                                                                                                             \
    /* A row of the block and what is left and right of it; what the walk comes to first is first. */        \
    STW_KERNEL void stw_pad_row_u##bits(const struct stw_pad_shape *p, const uint##bits##_t *row,            \
                                        stw_word##bits value, stw_word##bits *to, int32_t backward) {        \
        const int32_t left = p->before[STW_AXES - 1];                                                        \
        const int32_t width = p->block[STW_AXES - 1];                                                        \
        const int32_t end = left + width;                                                                    \
        const int32_t right = p->extents[STW_AXES - 1] - end;                                                \
                                                                                                             \
        if (backward != 0) {                                                                                 \
            stw_fill_u##bits(to + end, right, value);                                                        \
            stw_copy_downwards((uint8_t *)(to + left), (const uint8_t *)row, width * (bits / 8));            \
            stw_fill_u##bits(to, left, value);                                                               \
        } else {                                                                                             \
            stw_fill_u##bits(to, left, value);                                                               \
            stw_copy_upwards((uint8_t *)(to + left), (const uint8_t *)row, width * (bits / 8));              \
            stw_fill_u##bits(to + end, right, value);                                                        \
        }                                                                                                    \
    }                                                                                                        \
                                                                                                             \
    STW_KERNEL void stw_pad_u##bits(const struct stw_pad_u##bits##_params *params,                           \
                                    const uint##bits##_t *input, uint##bits##_t *output) {                   \
        const struct stw_pad_shape *p = &params->shape;                                                      \
        const int32_t first = p->begin - stw_row_offset(p->before, p->strides);                              \
        const int32_t width = p->extents[STW_AXES - 1];                                                      \
        const stw_word##bits value = (stw_word##bits)params->value;                                          \
        stw_word##bits *to = (stw_word##bits *)output + stw_walk_begin(p->extents, width, params->backward); \
        struct stw_walk walk = {{0}};                                                                        \
                                                                                                             \
        do {                                                                                                 \
            to -= stw_down(width, params->backward);                                                         \
            if (stw_pad_row_inside(p, &walk, params->backward)) {                                            \
                const int32_t offset =                                                                       \
                    first + stw_walk_place(&walk, p->extents, p->strides, params->backward);                 \
                                                                                                             \
                stw_pad_row_u##bits(p, input + offset, value, to, params->backward);                         \
            } else {                                                                                         \
                stw_fill_u##bits(to, width, value);                                                          \
            }                                                                                                \
            to += stw_up(width, params->backward);                                                           \
        } while (stw_walk_next(&walk, p->extents));                                                          \
    }

STW_PAD_KERNEL(8, int32_t)
STW_PAD_KERNEL(16, int32_t)
STW_PAD_KERNEL(32, int32_t)
STW_PAD_KERNEL(64, int64_t)

#endif /* STOWAGE_KERNELS_PAD_H */
