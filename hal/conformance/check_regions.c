/* SPDX-License-Identifier: Apache-2.0 */

/* The writable regions are really there, from one end to the other, and no two places are one. */

#include <stddef.h>
#include <stdint.h>

#include "hal/conformance/check.h"
#include "stw_board.h"

#if STW_BOARD_IS_HOST

void check_regions(void) {
}

#else

/* One word near each end of each region. Nothing else uses them: the stack is never that deep, the top is never that
 * full, and the words get their values back. The lowest 256 bytes may be the guard below the stack. */
#define PLACES(name, base, bytes)                                                                            \
    (volatile uint32_t *)((base) + 256u), (volatile uint32_t *)((base) + (bytes) - 4u),
static volatile uint32_t *const places[] = {STW_BOARD_WRITABLE_REGIONS(PLACES)};
enum { COUNT = sizeof places / sizeof places[0] };

static uint32_t mark(size_t i) {
    return 0xC0DE0000u + (uint32_t)i * 0x101u;
}

void check_regions(void) {
    uint32_t saved[COUNT];
    int all_hold = 1;
    for (size_t i = 0; i < COUNT; i++) {
        saved[i] = *places[i];
        *places[i] = mark(i);
    }
    for (size_t i = 0; i < COUNT; i++) {
        all_hold &= *places[i] == mark(i);
    }
    for (size_t i = 0; i < COUNT; i++) {
        *places[i] = saved[i];
    }
    check("each writable region reaches from end to end", all_hold);
}

#endif
