/* SPDX-License-Identifier: Apache-2.0 */
#include "stowage_hal/console.h"

enum { U64_DIGITS = 20, HEX_U32_DIGITS = 8 };

void stw_hal_print_text(const char *text) {
    size_t length = 0;
    while (text[length]) {
        length++;
    }
    stw_hal_console_write(text, length);
}

/* Repeated subtraction of powers of ten: at most 180 of them, and no 64-bit division, which small cores lack. */
void stw_hal_print_u64(uint64_t value) {
    static const uint64_t powers[U64_DIGITS] = {
        10000000000000000000u,
        1000000000000000000u,
        100000000000000000u,
        10000000000000000u,
        1000000000000000u,
        100000000000000u,
        10000000000000u,
        1000000000000u,
        100000000000u,
        10000000000u,
        1000000000u,
        100000000u,
        10000000u,
        1000000u,
        100000u,
        10000u,
        1000u,
        100u,
        10u,
        1u,
    };
    char text[U64_DIGITS];
    size_t length = 0;
    for (size_t i = 0; i < U64_DIGITS; i++) {
        char digit = '0';
        for (; value >= powers[i]; value -= powers[i]) {
            digit++;
        }
        if (length > 0 || digit != '0' || i == U64_DIGITS - 1) {
            text[length++] = digit;
        }
    }
    stw_hal_console_write(text, length);
}

void stw_hal_print_s32(int32_t value) {
    uint32_t magnitude = value < 0 ? 0u - (uint32_t)value : (uint32_t)value;
    if (value < 0) {
        stw_hal_print_text("-");
    }
    stw_hal_print_u64(magnitude);
}

void stw_hal_print_hex_u32(uint32_t value) {
    char text[2 + HEX_U32_DIGITS] = {'0', 'x'};
    for (unsigned i = 0; i < HEX_U32_DIGITS; i++) {
        text[2 + i] = "0123456789abcdef"[value >> (28 - 4 * i) & 0xFu];
    }
    stw_hal_console_write(text, sizeof text);
}
