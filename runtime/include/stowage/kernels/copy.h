/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Copy of `bytes` bytes. In place: walks forward, safe distance 0 bytes.
 */
#ifndef STOWAGE_KERNELS_COPY_H
#define STOWAGE_KERNELS_COPY_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/word.h"

struct stw_copy_bytes_params {
    int32_t bytes;
};

STW_KERNEL void stw_copy_bytes(const struct stw_copy_bytes_params *p, const uint8_t *input, uint8_t *output) {
    stw_copy_upwards(output, input, p->bytes);
}

#endif /* STOWAGE_KERNELS_COPY_H */
