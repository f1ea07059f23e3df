/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Look-up of 8-bit elements in a table of 256 entries of 8, 16 or 32 bits: output[i] = table[input[i]].
 *
 * The index is the input's byte read as unsigned, so that the table of a signed input begins with the entries
 * of 0 … 127 and ends with those of -128 … -1. `elements` is at least 1. Entries and output are aligned to
 * their size.
 *
 * In place, for entries of s bytes: stw_table_u8 walks forward, safe distance 0 bytes. The others make more
 * bytes than they read and walk backward: the output's end must lie (s - 1) * (elements - 1) bytes above the
 * input's end, or higher; both may start at the same byte. The table must not overlap the output.
 */
#ifndef STOWAGE_KERNELS_TABLE_H
#define STOWAGE_KERNELS_TABLE_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/word.h"

struct stw_table_u8_params {
    int32_t elements;
};

STW_KERNEL void stw_table_u8(const struct stw_table_u8_params *p, const uint8_t *input, const uint8_t *table,
                             uint8_t *output) {
    STW_UNROLL(4)
    for (int32_t i = 0; i < p->elements; ++i) {
        output[i] = table[input[i]];
    }
}

struct stw_table_u16_params {
    int32_t elements;
};

STW_KERNEL void stw_table_u16(const struct stw_table_u16_params *p, const uint8_t *input,
                              const stw_word16 *table, stw_word16 *output) {
    for (int32_t i = p->elements - 1; i >= 0; --i) {
        output[i] = table[input[i]];
    }
}

struct stw_table_u32_params {
    int32_t elements;
};

STW_KERNEL void stw_table_u32(const struct stw_table_u32_params *p, const uint8_t *input,
                              const stw_word32 *table, stw_word32 *output) {
    for (int32_t i = p->elements - 1; i >= 0; --i) {
        output[i] = table[input[i]];
    }
}

#endif /* STOWAGE_KERNELS_TABLE_H */
