/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_PORT_CONSOLE_H
#define STOWAGE_HAL_PORT_CONSOLE_H

/* Gets the device's console ready. It, and stw_hal_console_write, are defined in the file of the board's UART:
 * port_nrf_uart.c, port_cmsdk_uart.c, or port_no_console.c for a board that has none. */
void stw_port_console_start(void);

#endif
