/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Three steps on eight bytes each: raised = input + 1, doubled = 2 * raised, output = raised + doubled.
 *
 *   bytes    step 0   step 1   step 2
 *   0...7    input             output
 *   8..15    raised   raised   raised
 *   16..23            doubled  doubled
 *   24..31   nobody's
 *
 * Every defect but FRAIL_FAULT leaves the outputs of a plain build right, so that only a poison build or a guarded one
 * can tell.
 */
#include "frail.h"

#include "frail_defect.h"
#include "stowage/poison.h"

enum { LENGTH = 8, INPUT = 0, OUTPUT = 0, RAISED = 8, DOUBLED = 16, NOBODYS = 24 };

STW_ARENA("frail", 8) unsigned char frail_arena[FRAIL_ARENA_BYTES];

#ifdef FRAIL_WRITES_DATA
static unsigned char frail_data;
#endif

static void frail_00_raise(unsigned char *arena) {
    for (uint32_t i = 0; i < LENGTH; i++) {
        arena[RAISED + i] = (unsigned char)(arena[INPUT + i] + 1u);
    }
}

static void frail_01_double(unsigned char *arena) {
#ifdef FRAIL_READS_DEAD
    const unsigned char *raised = arena + INPUT;
    const uint32_t missing = 1u;
#else
    const unsigned char *raised = arena + RAISED;
    const uint32_t missing = 0u;
#endif

    for (uint32_t i = 0; i < LENGTH; i++) {
        arena[DOUBLED + i] = (unsigned char)(2u * (raised[i] + missing));
    }
#ifdef FRAIL_WRITES_PAST_EDGE
    arena[NOBODYS] = 1u;
#endif
#ifdef FRAIL_WRITES_BELOW_ARENA
    *(volatile unsigned char *)(arena - 1) = 1u;
#endif
#ifdef FRAIL_WRITES_PAST_ARENA
    *(volatile unsigned char *)(arena + FRAIL_ARENA_BYTES) = 1u;
#endif
#ifdef FRAIL_READS_PAST_ARENA
    (void)*(volatile unsigned char *)(arena + FRAIL_ARENA_BYTES);
#endif
#ifdef FRAIL_WRITES_DATA
    *(volatile unsigned char *)&frail_data = 1u;
#endif
#ifdef FRAIL_FAULT
    __builtin_trap();
#endif
}

static void frail_02_sum(unsigned char *arena) {
    for (uint32_t i = 0; i < LENGTH; i++) {
        arena[OUTPUT + i] = (unsigned char)(arena[RAISED + i] + arena[DOUBLED + i]);
    }
}

/* What step 1 clobbers is put right in step 2: outputs alone would not show it. */
static void clobber(unsigned char *arena) {
#ifdef FRAIL_CLOBBERS_LIVE
    arena[RAISED + 3] ^= 0x10u;
#else
    (void)arena;
#endif
}

static const struct stw_slot frail_slots[] = {
    {INPUT, LENGTH, 0u, 1u},
    {RAISED, LENGTH, 1u, 3u},
    {DOUBLED, LENGTH, 2u, 3u},
    {OUTPUT, LENGTH, 3u, 4u},
};

static const struct stw_tensor frail_inputs[] = {{"input", STW_U8, INPUT, LENGTH, LENGTH}};
static const struct stw_tensor frail_outputs[] = {{"output", STW_U8, OUTPUT, LENGTH, LENGTH}};

const struct stw_model frail_model = {
    .name = "frail",
    .arena_bytes = FRAIL_ARENA_BYTES,
    .arena_alignment_bytes = FRAIL_ARENA_ALIGNMENT_BYTES,
    .steps = 3u,
    .inputs = frail_inputs,
    .input_count = 1u,
    .outputs = frail_outputs,
    .output_count = 1u,
    .slots = frail_slots,
    .slot_count = 4u,
};

enum stw_status frail_run(void *arena) {
    unsigned char *bytes = arena;

    if (bytes == NULL) {
        return STW_BAD_ARENA;
    }
    STW_STEP_BEGIN(&frail_model, 0u, bytes);
    frail_00_raise(bytes);
    STW_STEP_END(&frail_model, 0u, bytes);
    STW_STEP_BEGIN(&frail_model, 1u, bytes);
    frail_01_double(bytes);
    clobber(bytes);
    STW_STEP_END(&frail_model, 1u, bytes);
    STW_STEP_BEGIN(&frail_model, 2u, bytes);
    clobber(bytes);
    frail_02_sum(bytes);
    STW_STEP_END(&frail_model, 2u, bytes);
    return STW_OK;
}
