/* SPDX-License-Identifier: Apache-2.0 */

/* memcpy, memmove, memset and memcmp, for every alignment and size up to some words, against loops over bytes. */

#include <stdint.h>

#include "hal/conformance/check.h"
#include "stowage_hal/memory.h"

enum { ROOM = 64, LARGEST = 40 };

static uint8_t actual[ROOM], expected[ROOM], source[ROOM];

static void fill(uint8_t *bytes, unsigned step) {
    for (unsigned i = 0; i < ROOM; i++) {
        bytes[i] = (uint8_t)(i * step + 1u);
    }
}

static int as_expected(void) {
    for (unsigned i = 0; i < ROOM; i++) {
        if (actual[i] != expected[i]) {
            return 0;
        }
    }
    return 1;
}

static int copy_holds(unsigned to, unsigned from, unsigned size) {
    fill(actual, 3);
    fill(expected, 3);
    fill(source, 5);
    for (unsigned i = 0; i < size; i++) {
        expected[to + i] = source[from + i];
    }
    return memcpy(actual + to, source + from, size) == actual + to && as_expected();
}

/* Both arguments in one array: the source is `from` bytes in, before anything moves. */
static int move_holds(unsigned to, unsigned from, unsigned size) {
    fill(actual, 3);
    fill(expected, 3);
    for (unsigned i = 0; i < size; i++) {
        expected[to + i] = (uint8_t)((from + i) * 3u + 1u);
    }
    return memmove(actual + to, actual + from, size) == actual + to && as_expected();
}

static int set_holds(unsigned to, unsigned size) {
    fill(actual, 3);
    fill(expected, 3);
    for (unsigned i = 0; i < size; i++) {
        expected[to + i] = 0xA5;
    }
    return memset(actual + to, 0x1A5, size) == actual + to && as_expected();
}

static int compare_holds(unsigned left, unsigned right, unsigned size) {
    fill(source, 5);
    for (unsigned i = 0; i < size; i++) {
        actual[left + i] = source[right + i];
    }
    int holds = memcmp(actual + left, source + right, size) == 0;
    for (unsigned i = 0; i < size; i++) {
        uint8_t kept = actual[left + i];
        actual[left + i] = (uint8_t)(source[right + i] ^ 0x80u);
        int difference = memcmp(actual + left, source + right, size);
        holds &= source[right + i] < 0x80u ? difference > 0 : difference < 0;
        actual[left + i] = kept;
    }
    return holds;
}

void check_memory_functions(void) {
    int copies = 1, moves = 1, sets = 1, comparisons = 1;
    for (unsigned size = 0; size <= LARGEST; size++) {
        for (unsigned to = 0; to < 4; to++) {
            sets &= set_holds(to, size);
            for (unsigned from = 0; from < 4; from++) {
                copies &= copy_holds(to, from, size);
                comparisons &= compare_holds(to, from, size);
            }
            for (unsigned from = 0; from <= 20; from++) {
                moves &= move_holds(to + 8u, from, size);
            }
        }
    }
    check("memcpy copies", copies);
    check("memmove moves", moves);
    check("memset sets", sets);
    check("memcmp compares", comparisons);
}
