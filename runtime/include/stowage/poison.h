/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The poison build: a model compiled with STW_POISON defined watches its own plan while it runs.
 *
 *   - A buffer's bytes are filled with STW_POISON_BYTE when its life ends, so that a late read gives a wrong answer.
 *   - Around every step, bytes of the arena that belong to no living buffer must still hold the poison: a step that
 *     writes past an edge of its output is caught in that step.
 *   - Buffers that live through a step without being made by it must be unchanged by it.
 *
 * That is so of every arena of a model: of the main one, and of those in other regions that stw_poison_watch names.
 *
 * Before the caller writes the inputs it calls stw_poison_prepare once a run. A violation is counted and the first one
 * remembered; a run never stops for it. Where STW_POISON is not defined the macros are empty and cost nothing.
 *
 * Time is proportional to arena_bytes + slot_count * slot_count for each step: this is a test instrument.
 */
#ifndef STOWAGE_POISON_H
#define STOWAGE_POISON_H

#include "stowage/model.h"

#define STW_POISON_BYTE 0xA5u

/* Arenas beside the main one that can be watched. */
#define STW_POISON_ARENAS 7u

/* What the watch found. The counts grow from run to run; a clean program leaves all of them zero. */
struct stw_poison_report {
    uint32_t stray_writes;     /* bytes outside of every living buffer that a step changed */
    uint32_t clobbered_slots;  /* living buffers that a step changed although it does not make them */
    uint32_t first_step;       /* the step of the first violation */
    uint32_t first_offset;     /* the offset of the first violation in its arena, in bytes */
    uint32_t first_arena;      /* that arena: 0 for the main one, else 1 + its number among the others */
    uint32_t high_water_bytes; /* end of the highest arena byte that a step or the caller ever changed */
    uint32_t further_high_water_bytes
        [STW_POISON_ARENAS]; /* the same of the other arenas of the model watched last */
};

/* Fills all of the arena that no input owns with poison. Call it after writing the inputs, before the run. */
void stw_poison_prepare(const struct stw_model *model, unsigned char *arena);

/*
 * Watches also the arena with this number among model->arenas, which is at these bytes, and fills it with poison. Call it
 * for each of them before every run.
 */
void stw_poison_watch(const struct stw_model *model, uint32_t number, unsigned char *bytes);

/* Called by the generated code around step `step`, counted from 0. */
void stw_poison_step_begin(const struct stw_model *model, uint32_t step, unsigned char *arena);
void stw_poison_step_end(const struct stw_model *model, uint32_t step, unsigned char *arena);

/* The findings so far, of all models in the image. */
const struct stw_poison_report *stw_poison_report(void);

/* What the watch writes itself, for a memory protection unit to let a run do so too; STW_GUARD aligns it for one. */
const void *stw_poison_memory(uint32_t *size_bytes);

#ifdef STW_POISON
#define STW_STEP_BEGIN(model, step, arena) stw_poison_step_begin((model), (step), (arena))
#define STW_STEP_END(model, step, arena) stw_poison_step_end((model), (step), (arena))
#else
#define STW_STEP_BEGIN(model, step, arena)
#define STW_STEP_END(model, step, arena)
#endif

#endif /* STOWAGE_POISON_H */
