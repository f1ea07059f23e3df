/* SPDX-License-Identifier: Apache-2.0 */
/* One run of the model: as it is, or under guard, where it can touch the arena, the stack and the watch's notes alone. */
#ifndef STOWAGE_TRIAL_RUN_H
#define STOWAGE_TRIAL_RUN_H

#include "stowage/poison.h"
#include "stowage_hal/guard.h"
#include "trial_bands.h"
#include "trial_model.h"

/* What run_on_arena returns, beside what the model does, where the unit has too few regions. */
#define RUN_UNGUARDED (-1)

#ifdef STW_GUARD

static int enter_guard(void) {
    struct stw_hal_span spans[2] = {{.start = ARENA, .size_bytes = STW_TRIAL_ARENA_BYTES}};
    uint32_t count = 1;

#ifdef STW_POISON
    spans[count].start = stw_poison_memory(&spans[count].size_bytes);
    count++;
#endif
    return stw_hal_guard_enter(spans, count);
}

static int run_on_arena(void) {
    if (enter_guard() != 0) {
        return RUN_UNGUARDED;
    }
    const int status = (int)STW_TRIAL_RUN(ARENA);
    stw_hal_guard_leave();
    return status;
}

#else

static int run_on_arena(void) {
    return (int)STW_TRIAL_RUN(ARENA);
}

#endif

#endif /* STOWAGE_TRIAL_RUN_H */
