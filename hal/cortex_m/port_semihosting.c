/* SPDX-License-Identifier: Apache-2.0 */

/* Console and exit of the emulated image. */

#include "hal/cortex_m/port.h"
#include "hal/cortex_m/semihosting.h"
#include "hal/cortex_m/system_control.h"
#include "stowage_hal/console.h"
#include "stowage_hal/init.h"
#include "stw_board.h"

extern const uint32_t stw_vectors[];

STW_PORT_CONSTANT static const char console_name[] = ":tt";

/* SYS_OPEN's arguments. A constant of the port, or the compiler would keep it among the image's. */
STW_PORT_CONSTANT static const struct {
    const char *name;
    uint32_t mode;
    uint32_t name_length;
} open_console = {console_name, STW_SYS_OPEN_WRITE, sizeof console_name - 1};

STW_PORT_VARIABLE static int32_t console;

STW_PORT_CODE void stw_hal_init(void) {
#if STW_CORE_HAS_FAULT_STATUS
    /* What is reserved below an image would pass exceptions on to it; the emulator runs the image alone. */
    STW_VTOR = (uint32_t)stw_vectors;
#endif
    if (!console) {
        console = stw_semihosting_call(STW_SYS_OPEN, &open_console);
    }
}

STW_PORT_CODE void stw_hal_console_write(const char *text, size_t size_bytes) {
    const uint32_t block[3] = {(uint32_t)console, (uint32_t)text, size_bytes};
    stw_semihosting_call(STW_SYS_WRITE, block);
}

STW_PORT_CODE void stw_port_exit(int status) {
    const uint32_t block[2] = {STW_ADP_STOPPED_APPLICATION_EXIT, (uint32_t)status};
    for (;;) {
        stw_semihosting_call(STW_SYS_EXIT_EXTENDED, block);
    }
}
