/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The input with updates put at places given by indices that may come from the model's inputs (int32: s32, int64: s64;
 * negative and outside ones: index.h), one update after the other.
 *
 *   stw_scatter_elements_<type>_<index>  each update at its own place but along one axis, where it is at its index;
 *                                        strides are the input's in elements, 0 along that axis
 *   stw_scatter_nd_<type>_<index>        runs of updates at tuples of indices; strides are in elements
 *
 * What is there and the update are combined as `reduction` says. Types: u8 u16 u32 u64, which only replace and take any
 * element of that size, and f32 s8 s16 s32 s64. Integers wrap around; of floats where one is a NaN, the larger and the
 * smaller are either.
 *
 * The output may be the input: the safe distance is 0 bytes. It must not overlap indices or updates.
 */
#ifndef STOWAGE_KERNELS_SCATTER_H
#define STOWAGE_KERNELS_SCATTER_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/math.h"
#include "stowage/core/walk.h"
#include "stowage/core/word.h"
#include "stowage/kernels/index.h"

enum stw_scatter_reduction {
    STW_SCATTER_NONE,
    STW_SCATTER_ADD,
    STW_SCATTER_MUL,
    STW_SCATTER_MIN,
    STW_SCATTER_MAX,
};

/* Defines stw_scattered_<suffix>; `wide` is unsigned for integers, `smaller` and `larger` are made of x and y. */
#define STW_SCATTERED(suffix, type, wide, smaller, larger)                                                   \
    STW_KERNEL type stw_scattered_##suffix(int32_t reduction, type x, type y) {                              \
        switch (reduction) {                                                                                 \
        case STW_SCATTER_ADD:                                                                                \
            return (type)((wide)x + (wide)y);                                                                \
        case STW_SCATTER_MUL:                                                                                \
            return (type)((wide)x * (wide)y);                                                                \
        case STW_SCATTER_MIN:                                                                                \
            return smaller;                                                                                  \
        case STW_SCATTER_MAX:                                                                                \
            return larger;                                                                                   \
        default:                                                                                             \
            return y;                                                                                        \
        }                                                                                                    \
    }

#define STW_SCATTERED_WORD(suffix, type)                                                                     \
    STW_KERNEL type stw_scattered_##suffix(int32_t reduction, type x, type y) {                              \
        (void)reduction, (void)x;                                                                            \
        return y;                                                                                            \
    }

#define STW_SCATTER_ELEMENTS_KERNEL(suffix, type, word, index, index_type)                                   \
    struct stw_scatter_elements_##suffix##_##index##_params {                                                \
        int32_t extents[STW_AXES]; /* of the updates */                                                      \
        int32_t strides[STW_AXES]; /* of the input, elements */                                              \
        int32_t axis_extent;                                                                                 \
        int32_t axis_stride; /* elements */                                                                  \
        int32_t elements;    /* of input and output */                                                       \
        int32_t reduction;   /* enum stw_scatter_reduction */                                                \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void stw_scatter_elements_##suffix##_##index(                                                 \
        const struct stw_scatter_elements_##suffix##_##index##_params *p, const type *input,                 \
        const index_type *indices, const type *updates, type *output) {                                      \
        const word *from = (const word *)updates;                                                            \
        struct stw_walk walk = {{0}};                                                                        \
                                                                                                             \
        stw_copy_upwards((uint8_t *)output, (const uint8_t *)input, p->elements * (int32_t)sizeof(type));    \
        do {                                                                                                 \
            word *row = (word *)output + stw_walk_offset(&walk, p->strides);                                 \
                                                                                                             \
            for (int32_t i = 0; i < p->extents[STW_AXES - 1]; ++i) {                                         \
                const int32_t place = stw_place_##index(*indices++, p->axis_extent) * p->axis_stride;        \
                word *to = row + (i * p->strides[STW_AXES - 1] + place);                                     \
                                                                                                             \
                *to = stw_scattered_##suffix(p->reduction, *to, *from++);                                    \
            }                                                                                                \
        } while (stw_walk_next(&walk, p->extents));                                                          \
    }

#define STW_SCATTER_ND_KERNEL(suffix, type, word, index, index_type)                                         \
    struct stw_scatter_nd_##suffix##_##index##_params {                                                      \
        STW_TUPLE_SHAPE                                                                                      \
        int32_t elements;  /* of input and output */                                                         \
        int32_t reduction; /* enum stw_scatter_reduction */                                                  \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void stw_scatter_nd_##suffix##_##index(                                                       \
        const struct stw_scatter_nd_##suffix##_##index##_params *p, const type *input,                       \
        const index_type *indices, const type *updates, type *output) {                                      \
        const word *from = (const word *)updates;                                                            \
                                                                                                             \
        stw_copy_upwards((uint8_t *)output, (const uint8_t *)input, p->elements * (int32_t)sizeof(type));    \
        for (int32_t k = 0; k < p->tuples; ++k) {                                                            \
            word *to = (word *)output + stw_tuple_offset_##index(indices, p->depth, p->extents, p->strides); \
                                                                                                             \
            for (int32_t i = 0; i < p->run; ++i) {                                                           \
                to[i] = stw_scattered_##suffix(p->reduction, to[i], *from++);                                \
            }                                                                                                \
            indices += p->depth;                                                                             \
        }                                                                                                    \
    }

#define STW_SCATTER_KERNELS(suffix, type, word)                                                              \
    STW_SCATTER_ELEMENTS_KERNEL(suffix, type, word, s32, int32_t)                                            \
    STW_SCATTER_ELEMENTS_KERNEL(suffix, type, word, s64, int64_t)                                            \
    STW_SCATTER_ND_KERNEL(suffix, type, word, s32, int32_t)                                                  \
    STW_SCATTER_ND_KERNEL(suffix, type, word, s64, int64_t)

#define STW_SCATTER_WORD_KERNELS(suffix, type, word)                                                         \
    STW_SCATTERED_WORD(suffix, type)                                                                         \
    STW_SCATTER_KERNELS(suffix, type, word)

/* `below` is the mask of x < y. */
#define STW_SCATTER_INTEGER_KERNELS(suffix, type, wide, below)                                               \
    STW_SCATTERED(suffix, type, wide, (type)(y ^ ((x ^ y) & (type)below(x, y))),                             \
                  (type)(x ^ ((x ^ y) & (type)below(x, y))))                                                 \
    STW_SCATTER_KERNELS(suffix, type, type)

STW_SCATTER_WORD_KERNELS(u8, uint8_t, stw_word8)
STW_SCATTER_WORD_KERNELS(u16, uint16_t, stw_word16)
STW_SCATTER_WORD_KERNELS(u32, uint32_t, stw_word32)
STW_SCATTER_WORD_KERNELS(u64, uint64_t, stw_word64)

STW_SCATTER_INTEGER_KERNELS(s8, int8_t, uint32_t, stw_mask_below)
STW_SCATTER_INTEGER_KERNELS(s16, int16_t, uint32_t, stw_mask_below)
STW_SCATTER_INTEGER_KERNELS(s32, int32_t, uint32_t, stw_mask_below)
STW_SCATTER_INTEGER_KERNELS(s64, int64_t, uint64_t, stw_mask_below_s64)

STW_SCATTERED(f32, float, float, stw_choose_f32(-(int32_t)(x < y), x, y),
              stw_choose_f32(-(int32_t)(x > y), x, y))
STW_SCATTER_KERNELS(f32, float, float)

#endif /* STOWAGE_KERNELS_SCATTER_H */
