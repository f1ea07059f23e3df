/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Elements of a where a truth value is 1, of b where it is 0: stw_select_u8, _u16, _u32, _u64 by their bits.
 *
 * Shapes: the output has `extents`, up to eight axes after merging, filled up in front with ones. Each operand lies at
 * its own strides, in elements; the stride of an axis along which it is repeated is 0.
 *
 * In place: walks forward and reads all three operands of an element before it writes it. The output may lie
 * over each of them. The safe distance in bytes is the sum, over the axes, of
 *
 *     max(0, output element size * output stride - operand element size * stride) * (extent - 1)
 *
 * with the output's own row-major strides: 0 for a or b of the output's shape.
 */
#ifndef STOWAGE_KERNELS_SELECT_H
#define STOWAGE_KERNELS_SELECT_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/walk.h"
#include "stowage/core/word.h"

#define STW_SELECT_KERNEL(bits)                                                                              \
    struct stw_select_u##bits##_params {                                                                     \
        int32_t extents[STW_AXES]; /* each at least 1 */                                                     \
        int32_t condition_strides[STW_AXES];                                                                 \
        int32_t a_strides[STW_AXES];                                                                         \
        int32_t b_strides[STW_AXES];                                                                         \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void stw_select_u##bits(const struct stw_select_u##bits##_params *p,                          \
                                       const uint8_t *condition, const uint##bits##_t *a,                    \
                                       const uint##bits##_t *b, uint##bits##_t *output) {                    \
        const int last = STW_AXES - 1;                                                                       \
        stw_word##bits *to = (stw_word##bits *)output;                                                       \
        struct stw_walk walk = {{0}};                                                                        \
                                                                                                             \
        do {                                                                                                 \
            const uint8_t *truth = condition + stw_walk_offset(&walk, p->condition_strides);                 \
            const stw_word##bits *x = (const stw_word##bits *)a + stw_walk_offset(&walk, p->a_strides);      \
            const stw_word##bits *y = (const stw_word##bits *)b + stw_walk_offset(&walk, p->b_strides);      \
                                                                                                             \
            for (int32_t i = 0; i < p->extents[last]; ++i) {                                                 \
                const uint##bits##_t mask =                                                                  \
                    (uint##bits##_t)((uint64_t)0 - truth[i * p->condition_strides[last]]);                   \
                                                                                                             \
                *to++ = (uint##bits##_t)((x[i * p->a_strides[last]] & mask) |                                \
                                         (y[i * p->b_strides[last]] & (uint##bits##_t) ~mask));              \
            }                                                                                                \
        } while (stw_walk_next(&walk, p->extents));                                                          \
    }

STW_SELECT_KERNEL(8)
STW_SELECT_KERNEL(16)
STW_SELECT_KERNEL(32)
STW_SELECT_KERNEL(64)

#endif /* STOWAGE_KERNELS_SELECT_H */
