/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Spans of memory as regions of the memory protection unit of Armv7-M (Architecture Reference Manual, B3.5): powers of
 * two in size and alignment, those of 256 bytes and more in eighths that can be left out one by one.
 */
#ifndef STOWAGE_HAL_MPU_COVER_H
#define STOWAGE_HAL_MPU_COVER_H

#include "hal/cortex_m/mpu.h"

enum {
    STW_MPU_GRAIN_BYTES = 32,
    STW_MPU_GRAIN_LOG2 = 5,
    STW_MPU_EIGHTHS_LOG2 = 8,
    STW_MPU_LARGEST_LOG2 = 31
};

/* Execute never, read and write for all, normal memory, write-back and write-allocate; enabled. */
#define STW_MPU_RASR_READ_WRITE (1u << 28 | 3u << 24 | 1u << 19 | 1u << 17 | 1u << 16 | 1u)

/* A region of 2^size_log2 bytes from `base` on, open from `bottom` to `top`. */
struct stw_mpu_block {
    uint32_t base;
    uint32_t bottom;
    uint32_t top;
    uint32_t size_log2;
};

/* What a region can leave out: an eighth of it, or all. */
static inline uint32_t stw_mpu_part_bytes(uint32_t size_log2) {
    return 1u << (size_log2 >= STW_MPU_EIGHTHS_LOG2 ? size_log2 - 3u : size_log2);
}

static inline struct stw_mpu_region stw_mpu_read_write(struct stw_mpu_block block) {
    const uint32_t part = stw_mpu_part_bytes(block.size_log2);
    uint32_t closed = 0;

    for (uint32_t i = 0; i < 8u && block.size_log2 >= STW_MPU_EIGHTHS_LOG2; i++) {
        const uint32_t start = block.base + i * part;
        closed |= (start < block.bottom || start >= block.top) ? 1u << i : 0u;
    }
    const uint32_t attributes = STW_MPU_RASR_READ_WRITE | closed << 8 | (block.size_log2 - 1u) << 1;
    return (struct stw_mpu_region){.rbar = block.base, .attributes = attributes};
}

/* The region of a size that is open up to `top`, and down as far as it reaches within the span: to the start of the first
 * part in it, or, if `wide`, of the part that the span's start is in. Without an open byte where there is none. */
static inline struct stw_mpu_block stw_mpu_block_below(uint32_t start, uint32_t top, uint32_t size_log2,
                                                       int wide) {
    const uint32_t part = stw_mpu_part_bytes(size_log2);
    const uint32_t base = (top - 1u) & ~((1u << size_log2) - 1u);
    const uint32_t bottom = (wide ? start : start + part - 1u) & ~(part - 1u);
    const struct stw_mpu_block none = {base, top, top, size_log2};

    if (top % part != 0u || (wide && base > start)) {
        return none;
    }
    return (struct stw_mpu_block){base, bottom < base ? base : bottom, top, size_log2};
}

/* The smallest region that opens most; if it is the last one, that opens least beyond the span. */
static inline struct stw_mpu_block stw_mpu_best_block(uint32_t start, uint32_t top, int last) {
    struct stw_mpu_block best = {0, top, top, STW_MPU_GRAIN_LOG2};

    for (uint32_t size_log2 = STW_MPU_GRAIN_LOG2; size_log2 <= STW_MPU_LARGEST_LOG2; size_log2++) {
        const struct stw_mpu_block block = stw_mpu_block_below(start, top, size_log2, last);
        const int reaches = block.bottom < block.top;
        if (reaches &&
            (last ? best.bottom == best.top || block.bottom > best.bottom : block.bottom < best.bottom)) {
            best = block;
        }
    }
    return best;
}

/* Writes the regions that let all code read and write a span, from its end down. Returns how many, 0 where `room` is too
 * little. */
static inline uint32_t stw_mpu_cover(uint32_t start, uint32_t end, struct stw_mpu_region *regions,
                                     uint32_t room) {
    const uint32_t lowest = start & ~(STW_MPU_GRAIN_BYTES - 1u);
    uint32_t top = (end + STW_MPU_GRAIN_BYTES - 1u) & ~(STW_MPU_GRAIN_BYTES - 1u);
    uint32_t count = 0;

    while (top > lowest && count < room) {
        const struct stw_mpu_block block = stw_mpu_best_block(lowest, top, count + 1u == room);
        if (block.bottom == block.top) {
            return 0;
        }
        regions[count++] = stw_mpu_read_write(block);
        top = block.bottom;
    }
    return top > lowest ? 0u : count;
}

#endif
