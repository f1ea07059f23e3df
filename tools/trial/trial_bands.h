/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The arena of a poison build or a guarded one: between two bands that nobody may write, and, for a memory protection
 * unit, with its end as near to a multiple of an eighth of the next power of two as its alignment lets it be.
 */
#ifndef STOWAGE_TRIAL_BANDS_H
#define STOWAGE_TRIAL_BANDS_H

#include "stowage/model.h"
#include "stowage/poison.h"
#include "stowage_hal/memory.h"
#include "trial_model.h"

#define BAND_BYTES 64u

#if defined(STW_POISON) || defined(STW_GUARD)

#ifdef STW_GUARD
#define AT_LEAST_A_REGION (STW_TRIAL_ARENA_BYTES < 512u ? 512u : STW_TRIAL_ARENA_BYTES)
#define GRAIN_BYTES (1u << (29 - __builtin_clz(AT_LEAST_A_REGION - 1u)))
#else
#define GRAIN_BYTES BAND_BYTES
#endif

/* From the arena's end to the next multiple of a grain, as far as the arena's alignment allows. */
#define SHIFT_BYTES                                                                                          \
    ((GRAIN_BYTES - STW_TRIAL_ARENA_BYTES % GRAIN_BYTES) % GRAIN_BYTES / STW_TRIAL_ARENA_ALIGNMENT_BYTES *   \
     STW_TRIAL_ARENA_ALIGNMENT_BYTES)
#define BELOW_BYTES (SHIFT_BYTES < BAND_BYTES ? SHIFT_BYTES + GRAIN_BYTES : SHIFT_BYTES)

STW_ARENA("trial", GRAIN_BYTES)
static unsigned char banded[BELOW_BYTES + STW_TRIAL_ARENA_BYTES + BAND_BYTES];
#define ARENA (banded + BELOW_BYTES)

/* Once, before the first run: what breaks in any run stays broken until all are judged. */
static void paint_bands(void) {
    memset(ARENA - BAND_BYTES, (int)STW_POISON_BYTE, BAND_BYTES);
    memset(ARENA + STW_TRIAL_ARENA_BYTES, (int)STW_POISON_BYTE, BAND_BYTES);
}

static uint32_t band_violations(void) {
    uint32_t count = 0;

    for (uint32_t i = 0; i < BAND_BYTES; i++) {
        count += (ARENA - BAND_BYTES)[i] == STW_POISON_BYTE ? 0u : 1u;
        count += (ARENA + STW_TRIAL_ARENA_BYTES)[i] == STW_POISON_BYTE ? 0u : 1u;
    }
    return count;
}

#else

#define ARENA STW_TRIAL_ARENA

static void paint_bands(void) {
}

static uint32_t band_violations(void) {
    return 0;
}

#endif

#endif /* STOWAGE_TRIAL_BANDS_H */
