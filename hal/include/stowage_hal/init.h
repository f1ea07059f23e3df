/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_INIT_H
#define STOWAGE_HAL_INIT_H

/* Brings up the console. Call it first in main; calling it again does nothing.
 *
 * On Cortex-M the reset handler has done all else by then: data and bss are in place, the floating-point and vector
 * units, caches and memory protection unit are on as far as the core has them, faults are reported (fault.h) and the
 * stack is painted (stack.h). */
void stw_hal_init(void);

#endif
