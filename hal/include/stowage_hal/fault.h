/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_FAULT_H
#define STOWAGE_HAL_FAULT_H

/* Nothing to call: this is what an image on Cortex-M does when it goes wrong.
 *
 * A fault, or an exception or interrupt that nobody handles, writes to the console what happened and the registers at
 * that place, and ends the image with STW_HAL_STATUS_FAULT:
 *
 *     stowage: fault: MemManage: data access not allowed
 *       at 0x200000f4
 *       pc 0x00000123 lr 0x00000119 sp 0x20000fd8 xpsr 0x61000000
 *       r0 0x00000000 r1 0x00000001 r2 0x00000002 r3 0x00000003 r12 0x0000000c
 *       cfsr 0x00000082 hfsr 0x00000000 mmfar 0x200000f4 bfar 0x00000000
 *
 * The address ("at") is there where the core knows it. Cortex-M0 knows neither cause nor address and has no cfsr, hfsr,
 * mmfar and bfar. After a stack overflow there are no registers but sp: there was no room to save them.
 *
 * What faults: writing code or constants, executing data, touching anything outside the board's memory map and the
 * chip's peripherals (all three where the core has a memory protection unit), reading through a null pointer (where,
 * besides, the image starts at address 0), overflowing the stack, undefined instructions, integer division by zero
 * (not Cortex-M0), unaligned access where the core has none. */

#endif
