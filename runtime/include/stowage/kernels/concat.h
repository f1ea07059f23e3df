/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Operands one after the other along an axis: stw_concat_<n> takes n of them, 2 to 16.
 *
 * An output row is what lies from the axis inwards: a run of bytes from each operand in turn. There are
 * `rows` of them, the product of the extents before the axis; operand k holds `rows` runs of run_bytes[k]
 * bytes, one after the other. Nothing needs alignment.
 *
 * In place: row by row and run by run from the first on, or with `backward` from the last. With R the bytes of an output
 * row and F those of the runs before operand k in it, backward those behind it, the output must begin at least
 * (rows - 1) * (R - run_bytes[k]) + F bytes below operand k, backward end that far above it. All operands may be
 * overlapped at once.
 */
#ifndef STOWAGE_KERNELS_CONCAT_H
#define STOWAGE_KERNELS_CONCAT_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/word.h"

/* entry(0) entry(1) …: as many as the name says. */
#define STW_EACH_2(entry) entry(0) entry(1)
#define STW_EACH_3(entry) STW_EACH_2(entry) entry(2)
#define STW_EACH_4(entry) STW_EACH_3(entry) entry(3)
#define STW_EACH_5(entry) STW_EACH_4(entry) entry(4)
#define STW_EACH_6(entry) STW_EACH_5(entry) entry(5)
#define STW_EACH_7(entry) STW_EACH_6(entry) entry(6)
#define STW_EACH_8(entry) STW_EACH_7(entry) entry(7)
#define STW_EACH_9(entry) STW_EACH_8(entry) entry(8)
#define STW_EACH_10(entry) STW_EACH_9(entry) entry(9)
#define STW_EACH_11(entry) STW_EACH_10(entry) entry(10)
#define STW_EACH_12(entry) STW_EACH_11(entry) entry(11)
#define STW_EACH_13(entry) STW_EACH_12(entry) entry(12)
#define STW_EACH_14(entry) STW_EACH_13(entry) entry(13)
#define STW_EACH_15(entry) STW_EACH_14(entry) entry(14)
#define STW_EACH_16(entry) STW_EACH_15(entry) entry(15)

/* The same the other way round. */
#define STW_DOWN_2(entry) entry(1) entry(0)
#define STW_DOWN_3(entry) entry(2) STW_DOWN_2(entry)
#define STW_DOWN_4(entry) entry(3) STW_DOWN_3(entry)
#define STW_DOWN_5(entry) entry(4) STW_DOWN_4(entry)
#define STW_DOWN_6(entry) entry(5) STW_DOWN_5(entry)
#define STW_DOWN_7(entry) entry(6) STW_DOWN_6(entry)
#define STW_DOWN_8(entry) entry(7) STW_DOWN_7(entry)
#define STW_DOWN_9(entry) entry(8) STW_DOWN_8(entry)
#define STW_DOWN_10(entry) entry(9) STW_DOWN_9(entry)
#define STW_DOWN_11(entry) entry(10) STW_DOWN_10(entry)
#define STW_DOWN_12(entry) entry(11) STW_DOWN_11(entry)
#define STW_DOWN_13(entry) entry(12) STW_DOWN_12(entry)
#define STW_DOWN_14(entry) entry(13) STW_DOWN_13(entry)
#define STW_DOWN_15(entry) entry(14) STW_DOWN_14(entry)
#define STW_DOWN_16(entry) entry(15) STW_DOWN_15(entry)

#define STW_CONCAT_INPUT(k) const uint8_t *input##k,

/* The next run of operand k. */
#define STW_CONCAT_RUN(k)                                                                                    \
    stw_copy_upwards(output, input##k, p->run_bytes[k]);                                                     \
    input##k += p->run_bytes[k];                                                                             \
    output += p->run_bytes[k];

/* To the end of operand k. */
#define STW_CONCAT_END(k)                                                                                    \
    input##k += p->rows * p->run_bytes[k];                                                                   \
    output += p->rows * p->run_bytes[k];

/* The run of operand k before the one that was copied last. */
#define STW_CONCAT_RUN_BEFORE(k)                                                                             \
    input##k -= p->run_bytes[k];                                                                             \
    output -= p->run_bytes[k];                                                                               \
    stw_copy_downwards(output, input##k, p->run_bytes[k]);

#define STW_CONCAT_KERNEL(n)                                                                                 \
    struct stw_concat_##n##_params {                                                                         \
        int32_t rows;                                                                                        \
        int32_t run_bytes[n];                                                                                \
        int32_t backward; /* whether the last run is copied first */                                         \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void stw_concat_##n(const struct stw_concat_##n##_params *p,                                  \
                                   STW_EACH_##n(STW_CONCAT_INPUT) uint8_t *output) {                         \
        if (p->backward != 0) {                                                                              \
            STW_EACH_##n(STW_CONCAT_END)                                                                     \
        }                                                                                                    \
        for (int32_t row = 0; row < p->rows; ++row) {                                                        \
            if (p->backward != 0) {                                                                          \
                STW_DOWN_##n(STW_CONCAT_RUN_BEFORE)                                                          \
            } else {                                                                                         \
                STW_EACH_##n(STW_CONCAT_RUN)                                                                 \
            }                                                                                                \
        }                                                                                                    \
    }

STW_CONCAT_KERNEL(2)
STW_CONCAT_KERNEL(3)
STW_CONCAT_KERNEL(4)
STW_CONCAT_KERNEL(5)
STW_CONCAT_KERNEL(6)
STW_CONCAT_KERNEL(7)
STW_CONCAT_KERNEL(8)
STW_CONCAT_KERNEL(9)
STW_CONCAT_KERNEL(10)
STW_CONCAT_KERNEL(11)
STW_CONCAT_KERNEL(12)
STW_CONCAT_KERNEL(13)
STW_CONCAT_KERNEL(14)
STW_CONCAT_KERNEL(15)
STW_CONCAT_KERNEL(16)

#endif /* STOWAGE_KERNELS_CONCAT_H */
