/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A tensor beside another one in each pixel: what is kept makes room for what a kernel then makes between its runs.
 */
#ifndef STOWAGE_CORE_BESIDE_H
#define STOWAGE_CORE_BESIDE_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/word.h"

/* How pixels [kept | made], or [made | kept], lie. */
struct stw_beside {
    int32_t pixels;
    int32_t kept_bytes; /* of a pixel */
    int32_t made_bytes;
    int32_t kept_at; /* bytes of a pixel before what is kept */
    int32_t made_at; /* elements of a pixel before what is made */
};

/*
 * Puts what is kept, `pixels` runs of kept_bytes one after the other, into its places in the output; the bytes between are left
 * alone. Pixels ascend, or with `backward` descend.
 *
 * Overlap: forward, the output must begin at least (pixels - 1) * made_bytes + kept_at bytes below what is kept; backward, end at
 * least (pixels - 1) * made_bytes + (made_bytes - kept_at) above its end.
 */
STW_KERNEL void stw_beside_keep(const struct stw_beside *b, int32_t backward, const uint8_t *kept,
                                uint8_t *output) {
    const int32_t whole = b->kept_bytes + b->made_bytes;

    for (int32_t i = 0; i < b->pixels; i++) {
        const int32_t pixel = stw_place(i, b->pixels, backward);

        stw_copy_walking(output + pixel * whole + b->kept_at, kept + pixel * b->kept_bytes, b->kept_bytes,
                         backward);
    }
}

#endif
