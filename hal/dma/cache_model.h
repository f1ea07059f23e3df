/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_DMA_CACHE_MODEL_H
#define STOWAGE_HAL_DMA_CACHE_MODEL_H

#include <stdint.h>

#include "stw_board.h"

/* A data cache that writes back, between a core and its memory: tests alone. The core sees one array, which is as it
 * wrote it; devices see another one, which is as lines were written back. A line may at any time be written back, if the
 * core has changed it, and be read again. On a board without a cache both see the same. */

/* Starts anew with memory as the core sees it, at `base`. */
void model_cache_start(uint8_t *core_view, uint32_t base);

/* Where a device finds the byte at an address. */
uint8_t *model_device_view(uint32_t address);

/* A line goes, and comes back. */
void model_cache_evict(uint32_t line);

enum { MODEL_CACHE_CLEAN = 1, MODEL_CACHE_DROP = 2 };

/* Writes back, or forgets, or first the one and then the other, all lines of a range. */
void model_cache_maintain(uint32_t start, uint32_t size_bytes, int what);

#endif
