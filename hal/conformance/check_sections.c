/* SPDX-License-Identifier: Apache-2.0 */

/* Variables have their first values, and everything lies where its role belongs. */

#include <stdint.h>

#include "hal/conformance/check.h"
#include "stw_board.h"

/* Volatile, so that the compiler can't know what they hold. */
static volatile uint32_t initialised[3] = {0x12345678u, 0u, 0x9ABCDEF0u};
static volatile uint8_t initialised_odd = 0x5A;
static volatile uint32_t zeroed[3];
static volatile uint8_t zeroed_odd;
static const uint32_t constants[3] = {1, 2, 3};

__attribute__((section(".stw_arena.conformance"), aligned(16))) static uint8_t arena[48];
__attribute__((section(".stw_arena_fast.conformance"), aligned(16))) static uint8_t arena_fast[48];
__attribute__((section(".stw_weights.conformance"), aligned(8))) static const uint8_t weights[5] = {1, 2, 3,
                                                                                                    4, 5};

static int is_writable(const volatile void *pointer) {
    uintptr_t address = (uintptr_t)pointer;
#define IS_INSIDE(name, base, bytes)                                                                         \
    if (address - (base) < (bytes)) {                                                                        \
        return 1;                                                                                            \
    }
    STW_BOARD_WRITABLE_REGIONS(IS_INSIDE)
    return 0;
}

/* The host's addresses mean nothing, so there these checks are about values alone. */
static int lies_writable(const volatile void *pointer, int writable) {
    return STW_BOARD_IS_HOST || is_writable(pointer) == writable;
}

void check_sections(void) {
    uint32_t stack_variable = 0;
    check("data has its values", initialised[0] == 0x12345678u && initialised[1] == 0 &&
                                     initialised[2] == 0x9ABCDEF0u && initialised_odd == 0x5A);
    check("bss is zero", zeroed[0] == 0 && zeroed[1] == 0 && zeroed[2] == 0 && zeroed_odd == 0);
    initialised[1] = 7;
    zeroed[1] = 8;
    check("data and bss keep what is written", initialised[1] == 7 && zeroed[1] == 8);
    check("data lies in a writable region", lies_writable(initialised, 1));
    check("bss lies in a writable region", lies_writable(zeroed, 1));
    check("stack lies in a writable region", lies_writable(&stack_variable, 1));
    check("arenas lie in writable regions", lies_writable(arena, 1) && lies_writable(arena_fast, 1));
    check("constants lie in no writable region", lies_writable(constants, 0));
    check("weights lie in no writable region", lies_writable(weights, 0) && weights[4] == 5);
    check("arenas are aligned", ((uintptr_t)arena | (uintptr_t)arena_fast) % 16 == 0);
}
