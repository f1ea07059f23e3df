/* SPDX-License-Identifier: Apache-2.0 */
#define _POSIX_C_SOURCE 200809L
#include "stowage_hal/host_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

int32_t stw_hal_file_open(const char *path, enum stw_hal_file_mode mode) {
    int flags = mode == STW_HAL_FILE_READ ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC;
    return open(path, flags, S_IRUSR | S_IWUSR | S_IRGRP | S_IROTH);
}

/* A regular file gives all that there is, but a pipe may give less at a time. */
int32_t stw_hal_file_read(int32_t handle, void *data, uint32_t size_bytes) {
    uint32_t done = 0;
    while (done < size_bytes) {
        ssize_t count = read(handle, (char *)data + done, size_bytes - done);
        if (count < 0) {
            return -1;
        }
        if (count == 0) {
            break;
        }
        done += (uint32_t)count;
    }
    return (int32_t)done;
}

int32_t stw_hal_file_write(int32_t handle, const void *data, uint32_t size_bytes) {
    uint32_t done = 0;
    while (done < size_bytes) {
        ssize_t count = write(handle, (const char *)data + done, size_bytes - done);
        if (count <= 0) {
            return -1;
        }
        done += (uint32_t)count;
    }
    return 0;
}

int32_t stw_hal_file_size_bytes(int32_t handle) {
    struct stat status;
    return fstat(handle, &status) == 0 ? (int32_t)status.st_size : -1;
}

int32_t stw_hal_file_close(int32_t handle) {
    return close(handle) == 0 ? 0 : -1;
}
