/* SPDX-License-Identifier: Apache-2.0 */

/* An image that does one thing that it must not, namely the one that the file misdeed.txt names. Each has its faulting
 * instruction at a symbol of its own, so that the test knows which address the report has to tell. */

#include <stdint.h>

#include "hal/cortex_m/system_control.h"
#include "stowage_hal/hal.h"
#include "stowage_hal/host_file.h"
#include "stw_board.h"

enum { STATUS_NO_MISDEED = 1, STATUS_SURVIVED = 2, LONGEST_NAME = 32 };

/* Each is called with the address that it is to misuse. */
#define MISDEED(name, instruction)                                                                           \
    __attribute__((naked)) static void name(uintptr_t address) {                                             \
        __asm__ volatile(".syntax unified\n\t"                                                               \
                         "movs r1, #7\n\t"                                                                   \
                         ".global at_" #name "\n"                                                            \
                         "at_" #name ":\n\t" instruction "\n\t"                                              \
                         "bx lr" ::"r"(address));                                                            \
    }

MISDEED(store, "str r1, [r0]")
MISDEED(load, "ldr r1, [r0]")
MISDEED(load_pair, "ldmia r0!, {r2, r3}")
MISDEED(jump, "bx r0")
MISDEED(undefined, "udf #1")
MISDEED(interrupt, "str r1, [r0]\n\tdsb\n\tisb")
MISDEED(overflow, "1: push {r0-r7}\n\tb 1b")
MISDEED(never_end, "b at_never_end")

#if STW_CORE_HAS_FAULT_STATUS
MISDEED(divide, "movs r2, #0\n\tsdiv r1, r1, r2")
#else
static void divide(uintptr_t address) {
    (void)address;
}
#endif

static const uint32_t constant = 1;
static uint32_t words[4];
/* "bx lr", in data. */
static uint16_t data_code[2] = {0x4770, 0x4770};

/* Beyond what a board's MPU covers, in the space that Armv7-M and Armv8-M keep for memory. */
#define OUTSIDE_THE_MAP 0x9FFFFFF0u

/* NVIC: interrupts 0 to 31, set-enable and set-pending. Writing 7 enables and starts the first three. */
#define NVIC_ISER 0xE000E100u
#define NVIC_ISPR 0xE000E200u

static void request_interrupt(uintptr_t address) {
    STW_REGISTER(NVIC_ISER) = 1u << 2;
    interrupt(address);
}

struct misdeed {
    const char *name;
    void (*commit)(uintptr_t address);
    uintptr_t address;
};

/* The address of a function is odd, as those of Thumb code are; STR minds not. */
static const struct misdeed misdeeds[] = {
    {"store_to_constant", store, (uintptr_t)&constant},
    {"store_to_code", store, (uintptr_t)stw_hal_init},
    {"load_from_null", load, 0},
    {"load_from_outside", load, OUTSIDE_THE_MAP},
    {"load_unaligned_pair", load_pair, (uintptr_t)words + 1},
    {"execute_data", jump, (uintptr_t)data_code + 1},
    {"undefined_instruction", undefined, 0},
    {"divide_by_zero", divide, 0},
    {"overflow_stack", overflow, 0},
    {"never_end", never_end, 0},
    {"unexpected_interrupt", request_interrupt, NVIC_ISPR},
};

static int is_named(const char *name, const char *wanted) {
    while (*name && *name == *wanted) {
        name++;
        wanted++;
    }
    return !*name && !*wanted;
}

static int read_name(char *name) {
    int32_t file = stw_hal_file_open("misdeed.txt", STW_HAL_FILE_READ);
    int32_t length = file < 0 ? -1 : stw_hal_file_read(file, name, LONGEST_NAME - 1);
    name[length < 0 ? 0 : length] = 0;
    return length >= 0 && stw_hal_file_size_bytes(file) == length && stw_hal_file_close(file) == 0;
}

int main(void) {
    char name[LONGEST_NAME];
    stw_hal_init();
    if (!read_name(name)) {
        return STATUS_NO_MISDEED;
    }
    for (unsigned i = 0; i < sizeof misdeeds / sizeof misdeeds[0]; i++) {
        if (is_named(misdeeds[i].name, name)) {
            misdeeds[i].commit(misdeeds[i].address);
            return STATUS_SURVIVED;
        }
    }
    return STATUS_NO_MISDEED;
}
