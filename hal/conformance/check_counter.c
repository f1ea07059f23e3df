/* SPDX-License-Identifier: Apache-2.0 */

/* In the emulator the counter counts every instruction, no more and no less, and the same each time. Elsewhere it only goes on. */

#include <stdint.h>

#include "hal/conformance/check.h"
#include "stowage_hal/counter.h"

#if defined(__arm__)
/* Two instructions a turn; no instruction around it, so that two loops differ by their turns alone. */
__attribute__((noinline)) static uint64_t spent_on(uint32_t turns) {
    stw_hal_counter_start();
    __asm__ volatile(".syntax unified\n\t"
                     ".balign 4\n"
                     "1:\n\t"
                     "subs %0, #1\n\t"
                     "bne 1b"
                     : "+l"(turns)
                     :
                     : "cc");
    return stw_hal_counter_read();
}
#else
static uint64_t spent_on(uint32_t turns) {
    stw_hal_counter_start();
    for (volatile uint32_t turn = 0; turn < turns; turn = turn + 1) {
    }
    return stw_hal_counter_read();
}
#endif

static int counts_instructions(void) {
    return stw_hal_counter_unit()[0] == 'i';
}

static void check_exactness(void) {
    static const uint32_t turns[] = {2, 3, 4, 5, 6, 7, 100, 1001, 65536};
    uint64_t one = spent_on(1);
    int exact = 1;
    for (unsigned i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        exact &= spent_on(turns[i]) - one == 2u * (turns[i] - 1u);
    }
    check("counter is exact to one instruction", exact);
    check("counter is the same each time", spent_on(1234) == spent_on(1234));
    check("counter costs next to nothing itself", one >= 2 && one < 16);
}

/* Each time that SysTick runs down takes 2^24 ticks, 5 to 8 million instructions. */
static void check_wraps(void) {
    uint64_t one = spent_on(1);
    check("counter is exact when SysTick runs down", spent_on(20000001u) - one == 40000000u);
    stw_hal_counter_start();
    uint64_t before = 0;
    int monotonic = 1;
    for (unsigned i = 0; i < 100000; i++) {
        uint64_t now = stw_hal_counter_read();
        monotonic &= now > before;
        before = now;
    }
    check("counter never goes back", monotonic);
}

void check_counter(void) {
    if (counts_instructions()) {
        check_exactness();
        check_wraps();
    } else {
        uint64_t little = spent_on(1);
        check("counter goes on", spent_on(100000) >= little);
    }
}
