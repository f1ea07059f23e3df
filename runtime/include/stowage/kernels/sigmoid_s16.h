/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Logistic function and tanh of int16 tensors as TensorFlow Lite's reference kernels compute them: straight lines between the
 * entries of a table. stowage/ir/tflite/sigmoid_words.py is the definition. No branches on data.
 *
 *   input   int16  [elements]
 *   table   uint16 [256]
 *   output  int16  [elements], 15 fraction bits
 *
 *     argument = (input * multiplier + half) >> shift; its product with the multiplier is below 2^30 in magnitude
 *
 * In place: the kernel walks forward, and the output may start where the input starts, or below.
 */
#ifndef STOWAGE_KERNELS_SIGMOID_S16_H
#define STOWAGE_KERNELS_SIGMOID_S16_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/core/transcendental_s16.h"

/* The last entry that a line begins at. */
#define STW_SIGMOID_LAST 254

/* The line over a number that is not negative, of which `bits` bits are the place on it; `beyond` behind the last line. */
STW_KERNEL int32_t stw_sigmoid_line(const uint16_t *table, int32_t size, int32_t bits, int32_t beyond) {
    const int32_t place = stw_minimum(size >> bits, STW_SIGMOID_LAST);
    const int32_t within = size & ((1 << bits) - 1);
    const int32_t begin = table[place];
    const int32_t line = begin * (1 << bits) + within * (table[place + 1] - begin);

    return stw_select_s32((STW_SIGMOID_LAST - (size >> bits)) >> 31, beyond, line);
}

STW_KERNEL int32_t stw_sigmoid_element(const uint16_t *table, int32_t argument) {
    const int32_t sign = argument >> 31;
    const int32_t line = stw_sigmoid_line(table, (argument ^ sign) - sign, 9, 0x7FFF << 10);

    return stw_select_s32(sign, (1 << 25) - line + (1 << 9) - 1, line + (1 << 9)) >> 10;
}

STW_KERNEL int32_t stw_tanh_element(const uint16_t *table, int32_t argument) {
    const int32_t sign = argument >> 31;
    const int32_t above = stw_sigmoid_line(table, (argument ^ sign) - sign, 8, 0xFFFF << 8) - (1 << 23);

    return stw_select_s32(sign, (1 << 7) - 1 - above, above + (1 << 7)) >> 8;
}

#define STW_SIGMOID_KERNEL(name)                                                                             \
    struct stw_##name##_words_params {                                                                       \
        int32_t elements;                                                                                    \
        int32_t multiplier;                                                                                  \
        int32_t half; /* 2^(shift - 1), or 0 without a shift */                                              \
        int32_t shift;                                                                                       \
    };                                                                                                       \
                                                                                                             \
    STW_KERNEL void stw_##name##_words(const struct stw_##name##_words_params *p, const int16_t *input,      \
                                       const uint16_t *table, int16_t *output) {                             \
        for (int32_t i = 0; i < p->elements; i++) {                                                          \
            const int32_t argument = (input[i] * p->multiplier + p->half) >> p->shift;                       \
                                                                                                             \
            output[i] = (int16_t)stw_##name##_element(table, argument);                                      \
        }                                                                                                    \
    }

STW_SIGMOID_KERNEL(sigmoid)
STW_SIGMOID_KERNEL(tanh)

#endif
