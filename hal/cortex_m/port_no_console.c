/* SPDX-License-Identifier: Apache-2.0 */

/* A board without a console is silent. */

#include "hal/cortex_m/port.h"
#include "hal/cortex_m/port_console.h"
#include "stowage_hal/console.h"
#include "stw_board.h"

#if !defined(STW_BOARD_NRF_UART_BASE) && !defined(STW_BOARD_CMSDK_UART_BASE)

STW_PORT_CODE void stw_port_console_start(void) {
}

STW_PORT_CODE void stw_hal_console_write(const char *text, size_t size_bytes) {
    (void)text;
    (void)size_bytes;
}

#endif
