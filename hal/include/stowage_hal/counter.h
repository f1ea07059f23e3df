/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_COUNTER_H
#define STOWAGE_HAL_COUNTER_H

#include <stdint.h>

/* Measures how much a piece of code executes.
 *
 *     stw_hal_counter_start();
 *     work();
 *     uint64_t spent = stw_hal_counter_read();
 *
 * What is counted depends on where the image runs; stw_hal_counter_unit names it:
 * - "instructions" in the emulator: exact to one, the same on every run and every machine. The emulator has no notion
 *   of cycles. Uses SysTick and its interrupt, and leaves the instructions of that interrupt out.
 * - "cycles" on a device: the DWT's cycle counter where the core has one, else the chip's timer at the processor's
 *   clock. Both wrap after 2^32 cycles: read more often than that.
 * - "nanoseconds" on the host.
 *
 * There is one counter. A start and a read with nothing between them give at most a few instructions, and the same
 * number every time. Not for use in interrupts. */

/* Starts the counter at 0. */
void stw_hal_counter_start(void);

/* What was executed since the start. May be called again and again; the counter goes on. */
uint64_t stw_hal_counter_read(void);

/* The unit of stw_hal_counter_read, as a word. */
const char *stw_hal_counter_unit(void);

#endif
