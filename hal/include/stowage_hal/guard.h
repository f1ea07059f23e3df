/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_GUARD_H
#define STOWAGE_HAL_GUARD_H

#include <stdint.h>

/* Bytes that guarded code may read and write. */
struct stw_hal_span {
    const void *start;
    uint32_t size_bytes;
};

/*
 * From here to stw_hal_guard_leave the caller goes on without privileges, and the memory protection unit lets it read and
 * write the stack and the spans, read and execute what the board's memory map allows to, and nothing else: all other
 * access is a fault. Interrupt handlers keep theirs. Returns 0, or -1 where the unit has too few regions for the spans:
 * then nothing is guarded.
 *
 * A span is widened to multiples of 32 bytes, and where it has many binary digits and the core is one of Armv7-M, by up
 * to a five-hundredth of its size at its start; not at its end, if that is a multiple of an eighth of the next power of
 * two. No two spans lie within 32 bytes of each other. For cores with a memory protection unit alone.
 */
int stw_hal_guard_enter(const struct stw_hal_span *spans, uint32_t count);

/* Gives back privileges and the board's memory map. */
void stw_hal_guard_leave(void);

#endif
