/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Sums of up to eight adjacent channels on their way through the taps of a window, for cores with MVE: the products of a tap
 * are made of all of them at once. On other cores the same is made of C: slower, to the same bit.
 *
 * `count`, from 1 to 8, is how many channels there are; what lies beyond them is neither read nor written. Nothing is aligned
 * but the arrays of int32.
 */
#ifndef STOWAGE_CORE_OCTET_S8_H
#define STOWAGE_CORE_OCTET_S8_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/output_s8.h"

#define STW_OCTET 8

#if defined(__ARM_FEATURE_MVE)
#include <arm_mve.h>

/* Channels 0, 2, 4 and 6, and channels 1, 3, 5 and 7: the halves that MVE's long products have. */
struct stw_octet {
    int32x4_t even;
    int32x4_t odd;
};

/* A lane for each of `count` channels. */
STW_KERNEL mve_pred16_t stw_octet_lanes(int32_t count) {
    return vctp16q((uint32_t)count);
}

STW_KERNEL int16x8_t stw_octet_bytes(const int8_t *from, int32_t count) {
    return count == STW_OCTET ? vldrbq_s16(from) : vldrbq_z_s16(from, stw_octet_lanes(count));
}

/* Every other of the words from `from` on, `words` in all. */
STW_KERNEL int32x4_t stw_octet_half(const int32_t *from, int32_t words) {
    return vldrwq_gather_shifted_offset_z_s32(from, vmulq_n_u32(vidupq_n_u32(0, 1), 2),
                                              vctp32q((uint32_t)(words + 1) / 2u));
}

/* Takes over the words of `count` channels. */
STW_KERNEL void stw_octet_set(struct stw_octet *octet, const int32_t *from, int32_t count) {
    if (count == STW_OCTET) {
        const int32x4x2_t halves = vld2q_s32(from);
        octet->even = halves.val[0];
        octet->odd = halves.val[1];
    } else {
        octet->even = stw_octet_half(from, count);
        octet->odd = stw_octet_half(from + 1, count - 1);
    }
}

STW_KERNEL void stw_octet_add_products(struct stw_octet *sums, int16x8_t a, int16x8_t b) {
    sums->even = vaddq_s32(sums->even, vmullbq_int_s16(a, b));
    sums->odd = vaddq_s32(sums->odd, vmulltq_int_s16(a, b));
    /* Tap by tap: all at once, as the compiler would have it, there are too few registers. */
    __asm__ volatile("" : "+w"(sums->even), "+w"(sums->odd));
}

/* Adds a tap's products of inputs and weights. */
STW_KERNEL void stw_octet_add(struct stw_octet *sums, const int8_t *input, const int8_t *weights,
                              int32_t count) {
    stw_octet_add_products(sums, stw_octet_bytes(input, count), stw_octet_bytes(weights, count));
}

/* The same of a second octet too, whose input lies `stride` elements after the first's. */
STW_KERNEL void stw_octet_add_both(struct stw_octet *first, struct stw_octet *second, const int8_t *input,
                                   int32_t stride, const int8_t *weights, int32_t count) {
    const int16x8_t shared = stw_octet_bytes(weights, count);

    stw_octet_add_products(first, stw_octet_bytes(input, count), shared);
    stw_octet_add_products(second, stw_octet_bytes(input + stride, count), shared);
}

/* The first where the input has one value. */
STW_KERNEL void stw_octet_add_value(struct stw_octet *sums, int32_t value, const int8_t *weights,
                                    int32_t count) {
    stw_octet_add_products(sums, vdupq_n_s16((int16_t)value), stw_octet_bytes(weights, count));
}

/* The output elements of the sums, whose multipliers and shifts are those of one channel or begin at it. */
STW_KERNEL void stw_octet_store(const struct stw_output_s8 *p, const struct stw_octet *sums,
                                const int32_t *multipliers, const int8_t *shifts, int32_t count,
                                int8_t *output) {
    if (p->narrow) {
        struct stw_octet each = {vdupq_n_s32(multipliers[0]), vdupq_n_s32(multipliers[0])};
        const int16x8_t by = p->per_channel ? stw_octet_bytes(shifts, count) : vdupq_n_s16(shifts[0]);
        int16x8_t made = vdupq_n_s16(0);

        if (p->per_channel) {
            stw_octet_set(&each, multipliers, count);
        }
        made = vmovnbq_s32(made, stw_output_quad(p, sums->even, each.even, vmovlbq_s16(by)));
        made = vmovntq_s32(made, stw_output_quad(p, sums->odd, each.odd, vmovltq_s16(by)));
        if (count == STW_OCTET) {
            vstrbq_s16(output, made);
        } else {
            vstrbq_p_s16(output, made, stw_octet_lanes(count));
        }
    } else {
        int32_t all[STW_OCTET];

        vst2q_s32(all, ((int32x4x2_t){{sums->even, sums->odd}}));
        for (int32_t c = 0; c < count; c++) {
            const int32_t at = p->per_channel ? c : 0;
            output[c] = stw_output_element_s8(p, all[c], multipliers[at], shifts[at]);
        }
    }
}
#else
struct stw_octet {
    int32_t sums[STW_OCTET];
};

STW_KERNEL void stw_octet_set(struct stw_octet *octet, const int32_t *from, int32_t count) {
    for (int32_t c = 0; c < count; c++) {
        octet->sums[c] = from[c];
    }
}

STW_KERNEL void stw_octet_add(struct stw_octet *octet, const int8_t *input, const int8_t *weights,
                              int32_t count) {
    for (int32_t c = 0; c < count; c++) {
        octet->sums[c] += input[c] * weights[c];
    }
}

STW_KERNEL void stw_octet_add_both(struct stw_octet *first, struct stw_octet *second, const int8_t *input,
                                   int32_t stride, const int8_t *weights, int32_t count) {
    stw_octet_add(first, input, weights, count);
    stw_octet_add(second, input + stride, weights, count);
}

STW_KERNEL void stw_octet_add_value(struct stw_octet *octet, int32_t value, const int8_t *weights,
                                    int32_t count) {
    for (int32_t c = 0; c < count; c++) {
        octet->sums[c] += value * weights[c];
    }
}

STW_KERNEL void stw_octet_store(const struct stw_output_s8 *p, const struct stw_octet *octet,
                                const int32_t *multipliers, const int8_t *shifts, int32_t count,
                                int8_t *output) {
    for (int32_t c = 0; c < count; c++) {
        const int32_t at = p->per_channel ? c : 0;
        output[c] = stw_output_element_s8(p, octet->sums[c], multipliers[at], shifts[at]);
    }
}
#endif

#endif
