/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_HOST_FILE_H
#define STOWAGE_HAL_HOST_FILE_H

#include <stdint.h>

/* Files of the machine that runs the test, for images that run in the emulator or on the host. An image for a device
 * that uses them doesn't link. Paths are relative to the folder that the emulator was started in. */

enum stw_hal_file_mode {
    STW_HAL_FILE_READ,
    STW_HAL_FILE_WRITE, /* creates the file, or empties it */
};

/* Opens a file. Returns a handle, or -1. */
int32_t stw_hal_file_open(const char *path, enum stw_hal_file_mode mode);

/* Reads up to size_bytes bytes into data. Returns how many were read, 0 at the end, -1 on failure. */
int32_t stw_hal_file_read(int32_t handle, void *data, uint32_t size_bytes);

/* Writes size_bytes bytes of data. Returns 0, or -1 if not all were written. */
int32_t stw_hal_file_write(int32_t handle, const void *data, uint32_t size_bytes);

/* Size of the file in bytes, or -1. */
int32_t stw_hal_file_size_bytes(int32_t handle);

/* Closes a file. Returns 0, or -1. */
int32_t stw_hal_file_close(int32_t handle);

#endif
