/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_STACK_H
#define STOWAGE_HAL_STACK_H

#include <stdint.h>

/* Measures how deep the stack has been. The unused part is filled with a pattern at reset; what has lost the pattern
 * has been used. On the host, whose stack isn't ours, all three give 0 or do nothing. */

/* Size of the whole stack. */
uint32_t stw_hal_stack_size_bytes(void);

/* Fills the part below the caller's frame again: the next high-water mark is that of the calls that follow. */
void stw_hal_stack_paint(void);

/* Bytes from the top of the stack down to the deepest word that was written since it was painted last. At most the
 * size of the stack: an overflow faults instead. */
uint32_t stw_hal_stack_high_water_bytes(void);

#endif
