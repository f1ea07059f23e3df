/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_SEMIHOSTING_H
#define STOWAGE_HAL_SEMIHOSTING_H

#include <stdint.h>

/* Calls to a debugger or emulator as "Semihosting for AArch32 and AArch64" (Arm) defines them. */
enum stw_semihosting_operation {
    STW_SYS_OPEN = 0x01,
    STW_SYS_CLOSE = 0x02,
    STW_SYS_WRITE = 0x05,
    STW_SYS_READ = 0x06,
    STW_SYS_FLEN = 0x0C,
    STW_SYS_EXIT_EXTENDED = 0x20,
};

/* fopen's modes, as SYS_OPEN numbers them. */
enum { STW_SYS_OPEN_READ_BINARY = 1, STW_SYS_OPEN_WRITE = 4, STW_SYS_OPEN_WRITE_BINARY = 5 };

/* SYS_EXIT_EXTENDED's reason for an ordinary end. */
#define STW_ADP_STOPPED_APPLICATION_EXIT 0x20026u

/* `block` holds the operation's arguments in order. Returns the operation's result. */
static inline int32_t stw_semihosting_call(enum stw_semihosting_operation operation, const void *block) {
    register int32_t result __asm__("r0") = (int32_t)operation;
    register const void *argument __asm__("r1") = block;
    __asm__ volatile("bkpt 0xab" : "+r"(result) : "r"(argument) : "memory");
    return result;
}

#endif
