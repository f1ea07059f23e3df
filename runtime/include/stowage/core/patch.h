/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A patch: one window of an image, padding included, as one vector. Convolution is the product of patches and a matrix.
 */
#ifndef STOWAGE_CORE_PATCH_H
#define STOWAGE_CORE_PATCH_H

#include <stdbool.h>
#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/window.h"
#include "stowage/core/word.h"

/* Writes `before` bytes of padding, `count` copied bytes and `after` bytes of padding; returns the end. */
STW_SHARED uint8_t *stw_patch_run(uint8_t *patch, uint8_t padding, int32_t before, const uint8_t *from,
                                  int32_t count, int32_t after) {
    for (; before > 0; before--) {
        *patch++ = padding;
    }
    stw_copy_upwards(patch, from, count);
    patch += count;
    for (; after > 0; after--) {
        *patch++ = padding;
    }
    return patch;
}

/*
 * Writes the taps [kernel height, kernel width, depth] of one window to `patch`, for elements of `element_bytes`.
 *
 * w, element_bytes and depth are constants. depth: how many channels to take, all or those of a group; corner: bytes from
 * `input` to where tap (0, 0) would lie, at the first channel taken; taps: which of them lie in the image; the others become
 * bytes of `padding`.
 */
STW_KERNEL void stw_patch_gather(const struct stw_window *w, int32_t element_bytes, int32_t depth,
                                 const uint8_t *input, int32_t corner, struct stw_taps taps, uint8_t padding,
                                 uint8_t *patch) {
    const int32_t tap_bytes = depth * element_bytes;
    const int32_t tap_stride = w->dilation_width * w->input_channels * element_bytes;
    const int32_t row_stride = w->dilation_height * w->input_width * w->input_channels * element_bytes;

    for (int32_t ky = 0; ky < w->kernel_height; ky++) {
        const bool inside = ky >= taps.top && ky < taps.bottom;
        const int32_t left = inside ? taps.left : w->kernel_width;
        const int32_t right = inside ? taps.right : w->kernel_width;

        if (tap_stride == tap_bytes) {
            const int32_t from = inside ? corner + ky * row_stride + left * tap_bytes : 0;
            patch = stw_patch_run(patch, padding, left * tap_bytes, input + from, (right - left) * tap_bytes,
                                  (w->kernel_width - right) * tap_bytes);
        } else {
            for (int32_t kx = 0; kx < w->kernel_width; kx++) {
                const bool real = kx >= left && kx < right;
                const int32_t from = real ? corner + ky * row_stride + kx * tap_stride : 0;
                patch = stw_patch_run(patch, padding, real ? 0 : tap_bytes, input + from,
                                      real ? tap_bytes : 0, 0);
            }
        }
    }
}

#endif
