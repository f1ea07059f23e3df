/* SPDX-License-Identifier: Apache-2.0 */

#include "hal/dma/cache_model.h"

#include <string.h>

#include "hal/cortex_m/cache.h"
#include "hal/dma/pl081_model.h"

static uint8_t *core_view;
static uint32_t base;

#if STW_BOARD_CORE_HAS_CACHES

/* Memory; and each line as it was when it was last read from there or written there. */
static uint8_t memory[MODEL_MEMORY_BYTES], fetched[MODEL_MEMORY_BYTES];

static void write_back(uint32_t offset) {
    if (memcmp(core_view + offset, fetched + offset, STW_CACHE_LINE_BYTES) != 0) {
        memcpy(memory + offset, core_view + offset, STW_CACHE_LINE_BYTES);
        memcpy(fetched + offset, core_view + offset, STW_CACHE_LINE_BYTES);
    }
}

static void fetch(uint32_t offset) {
    memcpy(core_view + offset, memory + offset, STW_CACHE_LINE_BYTES);
    memcpy(fetched + offset, memory + offset, STW_CACHE_LINE_BYTES);
}

void model_cache_start(uint8_t *view, uint32_t address) {
    core_view = view;
    base = address;
    memcpy(memory, view, MODEL_MEMORY_BYTES);
    memcpy(fetched, view, MODEL_MEMORY_BYTES);
}

uint8_t *model_device_view(uint32_t address) {
    return memory + (address - base);
}

void model_cache_evict(uint32_t line) {
    write_back(line * STW_CACHE_LINE_BYTES);
    fetch(line * STW_CACHE_LINE_BYTES);
}

void model_cache_maintain(uint32_t start, uint32_t size_bytes, int what) {
    const uint32_t first = (start - base) & ~(STW_CACHE_LINE_BYTES - 1u), end = start - base + size_bytes;

    for (uint32_t offset = first; size_bytes > 0u && offset < end; offset += STW_CACHE_LINE_BYTES) {
        if ((what & MODEL_CACHE_CLEAN) != 0) {
            write_back(offset);
        }
        if ((what & MODEL_CACHE_DROP) != 0) {
            fetch(offset);
        }
    }
}

#else

void model_cache_start(uint8_t *view, uint32_t address) {
    core_view = view;
    base = address;
}

uint8_t *model_device_view(uint32_t address) {
    return core_view + (address - base);
}

void model_cache_evict(uint32_t line) {
    (void)line;
}

void model_cache_maintain(uint32_t start, uint32_t size_bytes, int what) {
    (void)start;
    (void)size_bytes;
    (void)what;
}

#endif
