/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The frame of every kernel that combines two tensors element by element, broadcasting as NumPy does.
 *
 * Shapes: the output has `extents`, up to eight axes after the compiler has merged what it can, filled up in
 * front with ones. An operand lies at its own strides, in elements; the stride of an axis along which it is
 * repeated is 0. Along the last axis a stride is 0 or 1. Thus two operands of one shape are a single row, a
 * scalar is a row with stride 0, a per-channel operand a row that is repeated.
 *
 * Ownership and alignment: the caller owns all buffers; each is aligned to its element.
 *
 * In place: the kernel makes the first element first, or with `backward` the last, and reads both operands of an
 * element before it writes it, one that is repeated along the row once before the row. The output may lie over either
 * operand, or both. The safe distance in bytes is, either way, the sum, over the axes, of
 *
 *     max(0, output element size * output stride - operand element size * stride) * (extent - 1)
 *
 * with the output's own row-major strides, and without the last axis for an operand that is repeated along it.
 * It is 0 for an operand of the output's shape whose elements are no smaller.
 */
#ifndef STOWAGE_KERNELS_BINARY_H
#define STOWAGE_KERNELS_BINARY_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/walk.h"

/* The first fields of the parameters of every such kernel. */
#define STW_BINARY_SHAPE                                                                                     \
    int32_t extents[STW_AXES];   /* of the output, each at least 1 */                                        \
    int32_t a_strides[STW_AXES]; /* elements */                                                              \
    int32_t b_strides[STW_AXES]; /* elements */                                                              \
    int32_t backward;            /* whether the last element is made first */

/*
 * Defines `kernel`, whose elements are combine(p, x, y): an inline function of the parameters and one element
 * of each operand, no larger than these. Where an operand is repeated along a row its element is read once.
 */
#define STW_COMBINING_KERNEL(kernel, type, result_type, combine)                                             \
    STW_KERNEL void kernel##_row(const struct kernel##_params *p, const type *a, const type *b,              \
                                 result_type *row) {                                                         \
        const int32_t width = p->extents[STW_AXES - 1];                                                      \
                                                                                                             \
        if (p->a_strides[STW_AXES - 1] == 0) {                                                               \
            const type x = a[0];                                                                             \
            STW_UNROLL(4)                                                                                    \
            for (int32_t k = 0; k < width; ++k) {                                                            \
                const int32_t i = stw_place(k, width, p->backward);                                          \
                row[i] = combine(p, x, b[i]);                                                                \
            }                                                                                                \
        } else if (p->b_strides[STW_AXES - 1] == 0) {                                                        \
            const type y = b[0];                                                                             \
            STW_UNROLL(4)                                                                                    \
            for (int32_t k = 0; k < width; ++k) {                                                            \
                const int32_t i = stw_place(k, width, p->backward);                                          \
                row[i] = combine(p, a[i], y);                                                                \
            }                                                                                                \
        } else {                                                                                             \
            STW_UNROLL(4)                                                                                    \
            for (int32_t k = 0; k < width; ++k) {                                                            \
                const int32_t i = stw_place(k, width, p->backward);                                          \
                row[i] = combine(p, a[i], b[i]);                                                             \
            }                                                                                                \
        }                                                                                                    \
    }                                                                                                        \
                                                                                                             \
    STW_KERNEL void kernel(const struct kernel##_params *p, const type *a, const type *b,                    \
                           result_type *output) {                                                            \
        struct stw_walk walk = {{0}};                                                                        \
                                                                                                             \
        output += stw_walk_begin(p->extents, p->extents[STW_AXES - 1], p->backward);                         \
        do {                                                                                                 \
            output -= stw_down(p->extents[STW_AXES - 1], p->backward);                                       \
            kernel##_row(p, a + stw_walk_place(&walk, p->extents, p->a_strides, p->backward),                \
                         b + stw_walk_place(&walk, p->extents, p->b_strides, p->backward), output);          \
            output += stw_up(p->extents[STW_AXES - 1], p->backward);                                         \
        } while (stw_walk_next(&walk, p->extents));                                                          \
    }

/* The same where the result has the operands' type. */
#define STW_BINARY_KERNEL(kernel, type, combine) STW_COMBINING_KERNEL(kernel, type, type, combine)

#endif /* STOWAGE_KERNELS_BINARY_H */
