/* SPDX-License-Identifier: Apache-2.0 */

/* Start and end of the image that is flashed. Its console is in the file of the board's UART. */

#include "hal/cortex_m/port.h"
#include "hal/cortex_m/port_console.h"
#include "stowage_hal/console.h"
#include "stowage_hal/init.h"

STW_PORT_CONSTANT static const char farewell[] = "stowage: exit ";
STW_PORT_CONSTANT static const char line_end = '\n';
STW_PORT_VARIABLE static int started;

STW_PORT_CODE void stw_hal_init(void) {
    if (!started) {
        started = 1;
        stw_port_console_start();
    }
}

/* Writes a number's digit of weight `unit`, and returns the rest. Without division, which a small core would need a
 * function outside the port for. */
STW_PORT_CODE static uint32_t print_digit(uint32_t value, uint32_t unit) {
    char digit = '0';
    for (; value >= unit; value -= unit) {
        digit++;
    }
    stw_hal_console_write(&digit, 1);
    return value;
}

STW_PORT_CODE static void print_status(uint32_t status) {
    uint32_t rest = status >= 100 ? print_digit(status, 100) : status;
    rest = status >= 10 ? print_digit(rest, 10) : rest;
    print_digit(rest, 1);
}

STW_PORT_CODE void stw_port_exit(int status) {
    stw_hal_init();
    stw_hal_console_write(farewell, sizeof farewell - 1);
    print_status((uint32_t)status & 0xFFu);
    stw_hal_console_write(&line_end, 1);
    for (;;) {
        __asm__ volatile("wfi");
    }
}
