/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_CACHE_H
#define STOWAGE_HAL_CACHE_H

#include <stdint.h>

#include "stw_board.h"

/* Turns on what makes the core fast and is off after reset: instruction and data cache (Cortex-M7, Cortex-M55) and the
 * cache of low-overhead loops (Cortex-M55). Does nothing on other cores. */
void stw_cache_enable(void);

/* What is kept together in a data cache: 32 bytes on Cortex-M7 and Cortex-M55. */
#if STW_BOARD_CORE_HAS_CACHES
#define STW_CACHE_LINE_BYTES 32u
#else
#define STW_CACHE_LINE_BYTES 1u
#endif

/* The three below act on the lines of the data cache that hold a byte of `start` and on, and do nothing where it is off or
 * the core has none. A barrier of the caller's makes their effect certain. */

/* Writes back what the core has written, so that other masters read it. */
void stw_cache_clean(const void *start, uint32_t size_bytes);

/* Writes back, and forgets: the core will read what is in memory, and nothing is left to be written over it. */
void stw_cache_clean_and_drop(void *start, uint32_t size_bytes);

/* Forgets, without writing back: the core will read what others have written. */
void stw_cache_drop(void *start, uint32_t size_bytes);

#endif
