/* SPDX-License-Identifier: Apache-2.0 */
/*
 * How far arenas are used: they are painted before a vector is read, with a byte and its complement in turns, and what
 * then holds another byte was written by the caller or the run.
 */
#ifndef STOWAGE_TRIAL_PAINT_H
#define STOWAGE_TRIAL_PAINT_H

#include "stowage/model.h"
#include "stowage/poison.h"
#include "trial_bands.h"
#include "trial_model.h"

struct painting {
    uint32_t count;            /* of times that the arena was painted */
    uint32_t high_water_bytes; /* the end of the highest byte that was painted over, or is a state's */
    uint32_t further_high_water_bytes[STW_POISON_ARENAS]; /* the same of the arenas beside the main one */
};

/* Where these are, in the order of the model's; it has at most as many as can be watched. */
static unsigned char *const further[] = STW_TRIAL_FURTHER;

static int is_state(uint32_t offset) {
    for (uint32_t i = 0; i < STW_TRIAL_MODEL.state_count; i++) {
        const struct stw_tensor *state = &STW_TRIAL_MODEL.states[i];
        if (offset - state->offset_bytes < state->size_bytes) {
            return 1;
        }
    }
    return 0;
}

static unsigned char paint_of(const struct painting *painting) {
    return painting->count % 2u == 0u ? 0x5Au : 0xA5u;
}

/* Paints all but the states, which begin with what the last run left. */
static void paint(struct painting *painting) {
    painting->count++;
    for (uint32_t i = 0; i < STW_TRIAL_MODEL.arena_bytes; i++) {
        if (!is_state(i)) {
            ARENA[i] = paint_of(painting);
        }
    }
    for (uint32_t k = 0; k < STW_TRIAL_MODEL.arena_count; k++) {
        memset(further[k], paint_of(painting), STW_TRIAL_MODEL.arenas[k].size_bytes);
    }
}

static void raise_high_water(struct painting *painting) {
    for (uint32_t i = STW_TRIAL_MODEL.arena_bytes; i > painting->high_water_bytes; i--) {
        if (is_state(i - 1u) || ARENA[i - 1u] != paint_of(painting)) {
            painting->high_water_bytes = i;
        }
    }
    for (uint32_t k = 0; k < STW_TRIAL_MODEL.arena_count; k++) {
        for (uint32_t i = STW_TRIAL_MODEL.arenas[k].size_bytes; i > painting->further_high_water_bytes[k];
             i--) {
            if (further[k][i - 1u] != paint_of(painting)) {
                painting->further_high_water_bytes[k] = i;
            }
        }
    }
}

#endif /* STOWAGE_TRIAL_PAINT_H */
