/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copy of `bytes` bytes. In place: from the lowest byte on, or with `backward` from the highest; either way the
 * safe distance is 0 bytes.
 */
#ifndef STOWAGE_KERNELS_COPY_H
#define STOWAGE_KERNELS_COPY_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/word.h"

struct stw_copy_bytes_params {
    int32_t bytes;
    int32_t backward; /* whether the last byte is copied first */
};

STW_KERNEL void stw_copy_bytes(const struct stw_copy_bytes_params *p, const uint8_t *input, uint8_t *output) {
    stw_copy_walking(output, input, p->bytes, p->backward);
}

#endif /* STOWAGE_KERNELS_COPY_H */
