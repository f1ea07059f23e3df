/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Runs of bytes chosen by indices that may come from the model's inputs, of int32 (s32) or int64 (s64). A negative
 * index counts from the end; one outside is taken for the nearest inside, so that no data makes a kernel leave its
 * buffers. Extents are at least 1.
 *
 *   stw_take_<index>             output[o, k] = input[o, indices[k]]: runs of [outer, extent] -> [outer, count]
 *   stw_gather_elements_<index>  output[i0, …] = input at the same place but along one axis, where it is at
 *                                indices[i0, …]; strides are the input's in bytes, 0 along that axis
 *   stw_gather_nd_<index>        output[b, t] = run at the tuple t of batch b; strides and run are in bytes
 *
 * Output must not overlap anything.
 */
#ifndef STOWAGE_KERNELS_INDEX_H
#define STOWAGE_KERNELS_INDEX_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/walk.h"
#include "stowage/core/word.h"

/* The place in [0, extent) that an index means. */
STW_KERNEL int32_t stw_place_s32(int32_t index, int32_t extent) {
    return stw_clamp(index + ((index >> 31) & extent), 0, extent - 1);
}

STW_KERNEL int32_t stw_place_s64(int64_t index, int32_t extent) {
    const int64_t wrapped = index + ((index >> 63) & extent);
    const int64_t raised = wrapped & ~(wrapped >> 63);
    const int32_t beyond = stw_mask_below_s64(extent - 1, raised);
    const int32_t place = (int32_t)raised;

    return place ^ ((place ^ (extent - 1)) & beyond);
}

/* Where the run of a tuple of `depth` indices begins, in the strides' unit. */
#define STW_TUPLE_OFFSET(suffix, type)                                                                       \
    STW_KERNEL int32_t stw_tuple_offset_##suffix(const type *tuple, int32_t depth, const int32_t *extents,   \
                                                 const int32_t *strides) {                                   \
        int32_t offset = 0;                                                                                  \
                                                                                                             \
        for (int32_t i = 0; i < depth; ++i) {                                                                \
            offset += stw_place_##suffix(tuple[i], extents[i]) * strides[i];                                 \
        }                                                                                                    \
        return offset;                                                                                       \
    }

#define STW_TAKE_KERNEL(suffix, type)                                                                        \
    struct stw_take_##suffix##_params {                                                                      \
        int32_t outer;                                                                                       \
        int32_t extent;                                                                                      \
        int32_t count;                                                                                       \
        int32_t run_bytes;                                                                                   \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void stw_take_##suffix(const struct stw_take_##suffix##_params *p, const uint8_t *input,      \
                                      const type *indices, uint8_t *output) {                                \
        for (int32_t block = 0; block < p->outer; ++block) {                                                 \
            for (int32_t k = 0; k < p->count; ++k) {                                                         \
                const int32_t place = block * p->extent + stw_place_##suffix(indices[k], p->extent);         \
                                                                                                             \
                stw_copy_upwards(output, input + place * p->run_bytes, p->run_bytes);                        \
                output += p->run_bytes;                                                                      \
            }                                                                                                \
        }                                                                                                    \
    }

#define STW_GATHER_ELEMENTS_KERNEL(suffix, type)                                                             \
    struct stw_gather_elements_##suffix##_params {                                                           \
        int32_t extents[STW_AXES]; /* of the output */                                                       \
        int32_t strides[STW_AXES]; /* bytes */                                                               \
        int32_t axis_extent;                                                                                 \
        int32_t axis_stride; /* bytes */                                                                     \
        int32_t element_bytes;                                                                               \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void stw_gather_elements_##suffix(const struct stw_gather_elements_##suffix##_params *p,      \
                                                 const uint8_t *input, const type *indices,                  \
                                                 uint8_t *output) {                                          \
        struct stw_walk walk = {{0}};                                                                        \
                                                                                                             \
        do {                                                                                                 \
            const uint8_t *row = input + stw_walk_offset(&walk, p->strides);                                 \
                                                                                                             \
            for (int32_t i = 0; i < p->extents[STW_AXES - 1]; ++i) {                                         \
                const int32_t place = stw_place_##suffix(*indices++, p->axis_extent) * p->axis_stride;       \
                                                                                                             \
                stw_copy_upwards(output, row + (i * p->strides[STW_AXES - 1] + place), p->element_bytes);    \
                output += p->element_bytes;                                                                  \
            }                                                                                                \
        } while (stw_walk_next(&walk, p->extents));                                                          \
    }

#define STW_TUPLE_SHAPE                                                                                      \
    int32_t tuples;                                                                                          \
    int32_t depth;                                                                                           \
    int32_t extents[STW_AXES]; /* of the indexed axes, then ones */                                          \
    int32_t strides[STW_AXES];                                                                               \
    int32_t run;

#define STW_GATHER_ND_KERNEL(suffix, type)                                                                   \
    struct stw_gather_nd_##suffix##_params {                                                                 \
        STW_TUPLE_SHAPE                                                                                      \
        int32_t batches;                                                                                     \
        int32_t batch_bytes; /* of the input */                                                              \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void stw_gather_nd_##suffix(const struct stw_gather_nd_##suffix##_params *p,                  \
                                           const uint8_t *input, const type *indices, uint8_t *output) {     \
        for (int32_t batch = 0; batch < p->batches; ++batch) {                                               \
            for (int32_t k = 0; k < p->tuples; ++k) {                                                        \
                const int32_t place = stw_tuple_offset_##suffix(indices, p->depth, p->extents, p->strides);  \
                                                                                                             \
                stw_copy_upwards(output, input + (batch * p->batch_bytes + place), p->run);                  \
                indices += p->depth;                                                                         \
                output += p->run;                                                                            \
            }                                                                                                \
        }                                                                                                    \
    }

#define STW_INDEX_KERNELS(suffix, type)                                                                      \
    STW_TUPLE_OFFSET(suffix, type)                                                                           \
    STW_TAKE_KERNEL(suffix, type)                                                                            \
    STW_GATHER_ELEMENTS_KERNEL(suffix, type)                                                                 \
    STW_GATHER_ND_KERNEL(suffix, type)

STW_INDEX_KERNELS(s32, int32_t)
STW_INDEX_KERNELS(s64, int64_t)

#endif /* STOWAGE_KERNELS_INDEX_H */
