/* SPDX-License-Identifier: Apache-2.0 */

/* The UART of Arm's Cortex-M System Design Kit (Technical Reference Manual, 4.3 APB UART). */

#include "hal/cortex_m/port.h"
#include "hal/cortex_m/port_console.h"
#include "stowage_hal/console.h"
#include "stw_board.h"

#ifdef STW_BOARD_CMSDK_UART_BASE

#define UART(offset) (*(volatile uint32_t *)(STW_BOARD_CMSDK_UART_BASE + (offset)))
#define DATA UART(0x000u)
#define STATE UART(0x004u)
#define CTRL UART(0x008u)
#define BAUDDIV UART(0x010u)

enum { STATE_TX_FULL = 1u << 0, CTRL_TX_ENABLE = 1u << 0 };

STW_PORT_CODE void stw_port_console_start(void) {
    BAUDDIV = STW_BOARD_CMSDK_UART_BAUD_DIVISOR;
    CTRL = CTRL_TX_ENABLE;
}

STW_PORT_CODE void stw_hal_console_write(const char *text, size_t size_bytes) {
    for (size_t i = 0; i < size_bytes; i++) {
        while (STATE & STATE_TX_FULL) {
        }
        DATA = (uint8_t)text[i];
    }
}

#endif
