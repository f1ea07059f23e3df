/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/cortex_m/cache.h"

#include "hal/cortex_m/system_control.h"
#include "stw_board.h"

#if STW_BOARD_CORE_HAS_CACHES

/* CLIDR: the kind of the first cache level. */
enum { HAS_INSTRUCTION_CACHE = 1u << 0, HAS_DATA_CACHE = 1u << 1 };

/* The contents of a cache are unknown after reset, so each line of the data cache is dropped by set and way
 * (Armv7-M Architecture Reference Manual, B2.2.7). */
static void invalidate_data_cache(void) {
    STW_CSSELR = 0; /* first level, data */
    stw_barrier();
    uint32_t geometry = STW_CCSIDR;
    uint32_t set_shift = (geometry & 7u) + 4u;
    uint32_t last_way = geometry >> 3 & 0x3FFu;
    uint32_t last_set = geometry >> 13 & 0x7FFFu;
    uint32_t way_shift = last_way ? (uint32_t)__builtin_clz(last_way) : 0u;
    for (uint32_t set = 0; set <= last_set; set++) {
        for (uint32_t way = 0; way <= last_way; way++) {
            STW_DCISW = way << way_shift | set << set_shift;
        }
    }
    stw_barrier();
}

void stw_cache_enable(void) {
    uint32_t present = STW_CLIDR;
    if (present & HAS_INSTRUCTION_CACHE) {
        STW_ICIALLU = 0;
        stw_barrier();
        STW_CCR |= STW_CCR_IC;
    }
    if (present & HAS_DATA_CACHE) {
        invalidate_data_cache();
        STW_CCR |= STW_CCR_DC;
    }
#if defined(__ARM_ARCH_8_1M_MAIN__)
    STW_CCR |= STW_CCR_LOB;
#endif
    stw_barrier();
}

/* Writes the address of each line to a register of the cache (Armv7-M Architecture Reference Manual, B2.2.7). */
static void for_each_line(volatile uint32_t *operation, const void *start, uint32_t size_bytes) {
    const uint32_t end = (uint32_t)start + size_bytes;

    if (size_bytes == 0u || (STW_CCR & STW_CCR_DC) == 0u) {
        return;
    }
    stw_barrier();
    for (uint32_t line = (uint32_t)start & ~(STW_CACHE_LINE_BYTES - 1u); line < end;
         line += STW_CACHE_LINE_BYTES) {
        *operation = line;
    }
}

void stw_cache_clean(const void *start, uint32_t size_bytes) {
    for_each_line(&STW_DCCMVAC, start, size_bytes);
}

void stw_cache_clean_and_drop(void *start, uint32_t size_bytes) {
    for_each_line(&STW_DCCIMVAC, start, size_bytes);
}

void stw_cache_drop(void *start, uint32_t size_bytes) {
    for_each_line(&STW_DCIMVAC, start, size_bytes);
}

#else

void stw_cache_enable(void) {
}

void stw_cache_clean(const void *start, uint32_t size_bytes) {
    (void)start;
    (void)size_bytes;
}

void stw_cache_clean_and_drop(void *start, uint32_t size_bytes) {
    (void)start;
    (void)size_bytes;
}

void stw_cache_drop(void *start, uint32_t size_bytes) {
    (void)start;
    (void)size_bytes;
}

#endif
