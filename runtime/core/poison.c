/* SPDX-License-Identifier: Apache-2.0 */
#include "stowage/poison.h"

/* Digests that are kept at once. Where more buffers live through a step, they share them in turns. */
#define DIGESTS 512u

/* One region of any memory protection unit, in size too, where the watch has to work under guard. */
#ifdef STW_GUARD
#define WATCH_ALIGNMENT_BYTES 4096
#else
#define WATCH_ALIGNMENT_BYTES 4
#endif

static struct {
    struct stw_poison_report report;
    uint32_t digests[DIGESTS];
    const struct stw_model *model;             /* the one whose further arenas are watched */
    unsigned char *further[STW_POISON_ARENAS]; /* where these are; null where one is not watched */
} __attribute__((aligned(WATCH_ALIGNMENT_BYTES))) watch;

/* One arena of a model: number 0 is the main one. `bytes` is null where there are no more. */
struct ground {
    struct stw_arena arena;
    uint32_t number;
    uint32_t living; /* buffers that live through a step, of this arena and those before it, so far */
    unsigned char *bytes;
};

static struct ground main_ground(const struct stw_model *model, unsigned char *bytes) {
    const struct ground ground = {
        .arena = {model->name, model->arena_bytes, model->slots, model->slot_count},
        .bytes = bytes,
    };
    return ground;
}

/* The next arena of the model that is watched. */
static struct ground next_ground(const struct stw_model *model, const struct ground *last) {
    struct ground ground = {.number = last->number, .living = last->living};

    while (ground.bytes == NULL && model == watch.model && ground.number < model->arena_count &&
           ground.number < STW_POISON_ARENAS) {
        ground.arena = model->arenas[ground.number];
        ground.bytes = watch.further[ground.number];
        ground.number++;
    }
    return ground;
}

static int alive(const struct stw_slot *slot, uint32_t moment) {
    return slot->first <= moment && moment <= slot->last;
}

/* Whether a buffer keeps its bytes beyond the moment. */
static int survives(const struct stw_slot *slot, uint32_t moment) {
    return slot->first <= moment && moment < slot->last;
}

typedef int (*slot_test)(const struct stw_slot *slot, uint32_t moment);

/* The first byte from `offset` on that belongs to no buffer of which the test holds. */
static uint32_t next_free(const struct stw_arena *arena, uint32_t offset, slot_test test, uint32_t moment) {
    uint32_t i = 0;

    while (i < arena->slot_count) {
        const struct stw_slot *slot = &arena->slots[i++];
        if (offset - slot->offset_bytes < slot->size_bytes && test(slot, moment)) {
            offset = slot->offset_bytes + slot->size_bytes;
            i = 0;
        }
    }
    return offset;
}

/* Where the free bytes end that begin at `offset`. */
static uint32_t end_of_free(const struct stw_arena *arena, uint32_t offset, slot_test test, uint32_t moment) {
    uint32_t end = arena->size_bytes;

    for (uint32_t i = 0; i < arena->slot_count; i++) {
        const struct stw_slot *slot = &arena->slots[i];
        if (slot->offset_bytes > offset && slot->offset_bytes < end && test(slot, moment)) {
            end = slot->offset_bytes;
        }
    }
    return end;
}

/* FNV-1a over the bytes of a buffer. */
static uint32_t digest(const struct stw_slot *slot, const unsigned char *bytes) {
    uint32_t hash = 2166136261u;

    for (uint32_t i = 0; i < slot->size_bytes; i++) {
        hash = (hash ^ bytes[slot->offset_bytes + i]) * 16777619u;
    }
    return hash;
}

static void note(uint32_t *count, const struct ground *ground, uint32_t step, uint32_t offset) {
    if (watch.report.stray_writes == 0u && watch.report.clobbered_slots == 0u) {
        watch.report.first_step = step;
        watch.report.first_offset = offset;
        watch.report.first_arena = ground->number;
    }
    (*count)++;
}

static void poison_free_bytes(const struct ground *ground, uint32_t moment) {
    uint32_t i = next_free(&ground->arena, 0u, survives, moment);

    while (i < ground->arena.size_bytes) {
        const uint32_t end = end_of_free(&ground->arena, i, survives, moment);
        for (; i < end; i++) {
            ground->bytes[i] = STW_POISON_BYTE;
        }
        i = next_free(&ground->arena, i, survives, moment);
    }
}

static void check_free_bytes(const struct ground *ground, uint32_t step) {
    const uint32_t moment = step + 1u;
    uint32_t i = next_free(&ground->arena, 0u, alive, moment);

    while (i < ground->arena.size_bytes) {
        const uint32_t end = end_of_free(&ground->arena, i, alive, moment);
        for (; i < end; i++) {
            if (ground->bytes[i] != STW_POISON_BYTE) {
                note(&watch.report.stray_writes, ground, step, i);
            }
        }
        i = next_free(&ground->arena, i, alive, moment);
    }
}

static void raise_high_water(const struct ground *ground) {
    uint32_t *mark = ground->number == 0u ? &watch.report.high_water_bytes
                                          : &watch.report.further_high_water_bytes[ground->number - 1u];

    for (uint32_t i = ground->arena.size_bytes; i > *mark; i--) {
        if (ground->bytes[i - 1u] != STW_POISON_BYTE) {
            *mark = i;
        }
    }
}

/* A buffer that a step leaves alone: it lived before the step and lives on after it. */
static int lives_through(const struct stw_slot *slot, uint32_t moment) {
    return slot->first < moment && moment < slot->last;
}

void stw_poison_prepare(const struct stw_model *model, unsigned char *arena) {
    const struct ground ground = main_ground(model, arena);

    poison_free_bytes(&ground, 0u);
    raise_high_water(&ground);
}

void stw_poison_watch(const struct stw_model *model, uint32_t number, unsigned char *bytes) {
    if (model != watch.model) {
        for (uint32_t i = 0; i < STW_POISON_ARENAS; i++) {
            watch.further[i] = NULL;
            watch.report.further_high_water_bytes[i] = 0u;
        }
        watch.model = model;
    }
    if (number < model->arena_count && number < STW_POISON_ARENAS) {
        watch.further[number] = bytes;
        for (uint32_t i = 0; i < model->arenas[number].size_bytes; i++) {
            bytes[i] = STW_POISON_BYTE;
        }
    }
}

/* Adds `sign` times the digest of every buffer that lives through a moment to those that are kept. */
static void add_digests(struct ground *ground, uint32_t moment, uint32_t sign) {
    for (uint32_t i = 0; i < ground->arena.slot_count; i++) {
        const struct stw_slot *slot = &ground->arena.slots[i];
        if (lives_through(slot, moment)) {
            watch.digests[ground->living++ % DIGESTS] += sign * digest(slot, ground->bytes);
        }
    }
}

/* Notes the buffers whose digests are not 0, where those from after a step were taken from those before it. */
static void note_changed(struct ground *ground, uint32_t step) {
    for (uint32_t i = 0; i < ground->arena.slot_count; i++) {
        const struct stw_slot *slot = &ground->arena.slots[i];
        if (lives_through(slot, step + 1u) && watch.digests[ground->living++ % DIGESTS] != 0u) {
            note(&watch.report.clobbered_slots, ground, step, slot->offset_bytes);
        }
    }
}

void stw_poison_step_begin(const struct stw_model *model, uint32_t step, unsigned char *arena) {
    struct ground ground = main_ground(model, arena);

    for (uint32_t i = 0; i < DIGESTS; i++) {
        watch.digests[i] = 0u;
    }
    for (; ground.bytes != NULL; ground = next_ground(model, &ground)) {
        add_digests(&ground, step + 1u, 1u);
    }
}

void stw_poison_step_end(const struct stw_model *model, uint32_t step, unsigned char *arena) {
    struct ground ground = main_ground(model, arena);

    for (; ground.bytes != NULL; ground = next_ground(model, &ground)) {
        raise_high_water(&ground);
        add_digests(&ground, step + 1u, 0u - 1u);
    }
    ground = main_ground(model, arena);
    for (; ground.bytes != NULL; ground = next_ground(model, &ground)) {
        note_changed(&ground, step);
        check_free_bytes(&ground, step);
        poison_free_bytes(&ground, step + 1u);
    }
}

const struct stw_poison_report *stw_poison_report(void) {
    return &watch.report;
}

const void *stw_poison_memory(uint32_t *size_bytes) {
    *size_bytes = (uint32_t)sizeof watch;
    return &watch;
}
