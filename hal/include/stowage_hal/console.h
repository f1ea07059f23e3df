/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_CONSOLE_H
#define STOWAGE_HAL_CONSOLE_H

#include <stddef.h>
#include <stdint.h>

/* Text for a person or a test: the emulator's standard output, the device's UART, the host's standard output.
 * Nothing is buffered; each call returns when the text is on its way. After stw_hal_init only. */

/* Writes size_bytes bytes as they are. */
void stw_hal_console_write(const char *text, size_t size_bytes);

/* Writes a text that ends with a zero, without the zero. */
void stw_hal_print_text(const char *text);

/* Writes a number in decimal, without leading zeros. */
void stw_hal_print_u64(uint64_t value);

/* Writes a number in decimal, without leading zeros, with a minus sign where it is negative. */
void stw_hal_print_s32(int32_t value);

/* Writes a number as 0x and eight hexadecimal digits. */
void stw_hal_print_hex_u32(uint32_t value);

#endif
