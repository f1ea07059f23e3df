/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_PORT_H
#define STOWAGE_HAL_PORT_H

#include <stddef.h>
#include <stdint.h>

/* What differs between the image that is flashed and the one that is emulated: console, exit, counter. An image has one
 * port, port_device or port_semihosting, which also defines stw_hal_init and stw_hal_console_write.
 *
 * All that a port brings lies behind everything else in flash and RAM, so that the rest has the same addresses whatever
 * the port. For that each of its functions, constants and variables carries one of the attributes below, its
 * variables start at zero, and it calls nothing outside itself that the rest of the image doesn't have. */

#define STW_PORT_CODE __attribute__((section(".stw_port_text"), noinline))
#define STW_PORT_CONSTANT __attribute__((section(".stw_port_rodata")))
#define STW_PORT_VARIABLE __attribute__((section(".stw_port_bss")))

/* Ends the image with a status, as stw_hal_exit says. */
__attribute__((noreturn)) void stw_port_exit(int status);

/* Starts to count ticks. */
void stw_port_counter_start(void);

/* Ticks since some moment before the start. */
uint64_t stw_port_counter_ticks(void);

/* Instructions that counting itself has executed since stw_port_counter_start, outside the functions above. */
uint32_t stw_port_counter_intrusion(void);

/* What stw_hal_counter_read counts, as a word. */
const char *stw_port_counter_unit(void);

/* Counted things per tick, times 2^31; at most 2^31. */
extern const uint32_t stw_port_counter_scale_q31;

/* Handler of the SysTick exception. */
void stw_port_systick(void);

#endif
