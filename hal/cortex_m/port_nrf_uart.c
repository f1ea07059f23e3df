/* SPDX-License-Identifier: Apache-2.0 */

/* The UART of Nordic's nRF51 and nRF52 (nRF51 Series Reference Manual, 29; nRF52840 Product Specification, 6.33). The
 * nRF52 has a newer one with DMA at the same address; this older one serves both chips and text from flash. */

#include "hal/cortex_m/port.h"
#include "hal/cortex_m/port_console.h"
#include "stowage_hal/console.h"
#include "stw_board.h"

#ifdef STW_BOARD_NRF_UART_BASE

#define UART(offset) (*(volatile uint32_t *)(STW_BOARD_NRF_UART_BASE + (offset)))
#define TASKS_STARTTX UART(0x008u)
#define EVENTS_TXDRDY UART(0x11Cu)
#define ENABLE UART(0x500u)
#define PSELRTS UART(0x508u)
#define PSELTXD UART(0x50Cu)
#define PSELCTS UART(0x510u)
#define PSELRXD UART(0x514u)
#define TXD UART(0x51Cu)
#define BAUDRATE UART(0x524u)

/* Pins 0 to 31 belong to the first port, 32 and up to the second, which only the nRF52840 has. */
#define GPIO_PORT (0x50000000u + 0x300u * (STW_BOARD_NRF_UART_TX_PIN / 32u))
#define GPIO(offset) (*(volatile uint32_t *)(GPIO_PORT + (offset)))
#define OUTSET GPIO(0x508u)
#define DIRSET GPIO(0x518u)
#define TX_PIN_BIT (1u << STW_BOARD_NRF_UART_TX_PIN % 32u)

enum { ENABLE_UART = 4 };
#define DISCONNECTED 0xFFFFFFFFu

STW_PORT_CODE void stw_port_console_start(void) {
    OUTSET = TX_PIN_BIT;
    DIRSET = TX_PIN_BIT;
    PSELTXD = STW_BOARD_NRF_UART_TX_PIN;
    PSELRXD = DISCONNECTED;
    PSELRTS = DISCONNECTED;
    PSELCTS = DISCONNECTED;
    BAUDRATE = STW_BOARD_NRF_UART_BAUD_REGISTER;
    ENABLE = ENABLE_UART;
    TASKS_STARTTX = 1;
}

STW_PORT_CODE void stw_hal_console_write(const char *text, size_t size_bytes) {
    for (size_t i = 0; i < size_bytes; i++) {
        EVENTS_TXDRDY = 0;
        TXD = (uint8_t)text[i];
        while (!EVENTS_TXDRDY) {
        }
    }
}

#endif
