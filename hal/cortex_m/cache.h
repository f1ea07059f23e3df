/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_CACHE_H
#define STOWAGE_HAL_CACHE_H

/* Turns on what makes the core fast and is off after reset: instruction and data cache (Cortex-M7, Cortex-M55) and the
 * cache of low-overhead loops (Cortex-M55). Does nothing on other cores. */
void stw_cache_enable(void);

#endif
