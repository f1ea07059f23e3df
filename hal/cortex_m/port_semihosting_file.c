/* SPDX-License-Identifier: Apache-2.0 */

/* Files of the machine that runs the emulator. */

#include "hal/cortex_m/port.h"
#include "hal/cortex_m/semihosting.h"
#include "stowage_hal/host_file.h"

STW_PORT_CODE int32_t stw_hal_file_open(const char *path, enum stw_hal_file_mode mode) {
    uint32_t length = 0;
    while (path[length]) {
        length++;
    }
    uint32_t flags = mode == STW_HAL_FILE_READ ? STW_SYS_OPEN_READ_BINARY : STW_SYS_OPEN_WRITE_BINARY;
    const uint32_t block[3] = {(uint32_t)path, flags, length};
    return stw_semihosting_call(STW_SYS_OPEN, block);
}

/* SYS_READ and SYS_WRITE give the bytes that they did not transfer, SYS_READ a negative number on some errors. */
STW_PORT_CODE int32_t stw_hal_file_read(int32_t handle, void *data, uint32_t size_bytes) {
    const uint32_t block[3] = {(uint32_t)handle, (uint32_t)data, size_bytes};
    int32_t missing = stw_semihosting_call(STW_SYS_READ, block);
    return missing < 0 ? -1 : (int32_t)size_bytes - missing;
}

STW_PORT_CODE int32_t stw_hal_file_write(int32_t handle, const void *data, uint32_t size_bytes) {
    const uint32_t block[3] = {(uint32_t)handle, (uint32_t)data, size_bytes};
    return stw_semihosting_call(STW_SYS_WRITE, block) == 0 ? 0 : -1;
}

STW_PORT_CODE int32_t stw_hal_file_size_bytes(int32_t handle) {
    return stw_semihosting_call(STW_SYS_FLEN, &handle);
}

STW_PORT_CODE int32_t stw_hal_file_close(int32_t handle) {
    return stw_semihosting_call(STW_SYS_CLOSE, &handle);
}
