/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_INTERRUPT_H
#define STOWAGE_HAL_INTERRUPT_H

/* Called for each of the chip's interrupts; the number is in the core's IPSR register, less 16. An image that enables
 * interrupts defines it; without a definition, an interrupt counts as a fault. Cortex-M only. */
void stw_hal_interrupt(void);

#endif
