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
} __attribute__((aligned(WATCH_ALIGNMENT_BYTES))) watch;

static int alive(const struct stw_slot *slot, uint32_t moment) {
    return slot->first <= moment && moment <= slot->last;
}

/* Whether a buffer keeps its bytes beyond the moment. */
static int survives(const struct stw_slot *slot, uint32_t moment) {
    return slot->first <= moment && moment < slot->last;
}

typedef int (*slot_test)(const struct stw_slot *slot, uint32_t moment);

/* The first byte from `offset` on that belongs to no buffer of which the test holds. */
static uint32_t next_free(const struct stw_model *model, uint32_t offset, slot_test test, uint32_t moment) {
    uint32_t i = 0;

    while (i < model->slot_count) {
        const struct stw_slot *slot = &model->slots[i++];
        if (offset - slot->offset_bytes < slot->size_bytes && test(slot, moment)) {
            offset = slot->offset_bytes + slot->size_bytes;
            i = 0;
        }
    }
    return offset;
}

/* Where the free bytes end that begin at `offset`. */
static uint32_t end_of_free(const struct stw_model *model, uint32_t offset, slot_test test, uint32_t moment) {
    uint32_t end = model->arena_bytes;

    for (uint32_t i = 0; i < model->slot_count; i++) {
        const struct stw_slot *slot = &model->slots[i];
        if (slot->offset_bytes > offset && slot->offset_bytes < end && test(slot, moment)) {
            end = slot->offset_bytes;
        }
    }
    return end;
}

/* FNV-1a over the bytes of a buffer. */
static uint32_t digest(const struct stw_slot *slot, const unsigned char *arena) {
    uint32_t hash = 2166136261u;

    for (uint32_t i = 0; i < slot->size_bytes; i++) {
        hash = (hash ^ arena[slot->offset_bytes + i]) * 16777619u;
    }
    return hash;
}

static void note(uint32_t *count, uint32_t step, uint32_t offset) {
    if (watch.report.stray_writes == 0u && watch.report.clobbered_slots == 0u) {
        watch.report.first_step = step;
        watch.report.first_offset = offset;
    }
    (*count)++;
}

static void poison_free_bytes(const struct stw_model *model, unsigned char *arena, uint32_t moment) {
    uint32_t i = next_free(model, 0u, survives, moment);

    while (i < model->arena_bytes) {
        const uint32_t end = end_of_free(model, i, survives, moment);
        for (; i < end; i++) {
            arena[i] = STW_POISON_BYTE;
        }
        i = next_free(model, i, survives, moment);
    }
}

static void check_free_bytes(const struct stw_model *model, const unsigned char *arena, uint32_t step) {
    const uint32_t moment = step + 1u;
    uint32_t i = next_free(model, 0u, alive, moment);

    while (i < model->arena_bytes) {
        const uint32_t end = end_of_free(model, i, alive, moment);
        for (; i < end; i++) {
            if (arena[i] != STW_POISON_BYTE) {
                note(&watch.report.stray_writes, step, i);
            }
        }
        i = next_free(model, i, alive, moment);
    }
}

static void raise_high_water(const struct stw_model *model, const unsigned char *arena) {
    for (uint32_t i = model->arena_bytes; i > watch.report.high_water_bytes; i--) {
        if (arena[i - 1u] != STW_POISON_BYTE) {
            watch.report.high_water_bytes = i;
        }
    }
}

/* A buffer that a step leaves alone: it lived before the step and lives on after it. */
static int lives_through(const struct stw_slot *slot, uint32_t moment) {
    return slot->first < moment && moment < slot->last;
}

void stw_poison_prepare(const struct stw_model *model, unsigned char *arena) {
    poison_free_bytes(model, arena, 0u);
    raise_high_water(model, arena);
}

/* Adds `sign` times the digest of every buffer that lives through a moment to those that are kept. */
static void add_digests(const struct stw_model *model, const unsigned char *arena, uint32_t moment,
                        uint32_t sign) {
    uint32_t living = 0;

    for (uint32_t i = 0; i < model->slot_count; i++) {
        if (lives_through(&model->slots[i], moment)) {
            watch.digests[living++ % DIGESTS] += sign * digest(&model->slots[i], arena);
        }
    }
}

/* Notes the buffers whose digests are not 0, where those from after a step were taken from those before it. */
static void note_changed(const struct stw_model *model, uint32_t step) {
    uint32_t living = 0;

    for (uint32_t i = 0; i < model->slot_count; i++) {
        if (lives_through(&model->slots[i], step + 1u) && watch.digests[living++ % DIGESTS] != 0u) {
            note(&watch.report.clobbered_slots, step, model->slots[i].offset_bytes);
        }
    }
}

void stw_poison_step_begin(const struct stw_model *model, uint32_t step, unsigned char *arena) {
    for (uint32_t i = 0; i < DIGESTS; i++) {
        watch.digests[i] = 0u;
    }
    add_digests(model, arena, step + 1u, 1u);
}

void stw_poison_step_end(const struct stw_model *model, uint32_t step, unsigned char *arena) {
    raise_high_water(model, arena);
    add_digests(model, arena, step + 1u, 0u - 1u);
    note_changed(model, step);
    check_free_bytes(model, arena, step);
    poison_free_bytes(model, arena, step + 1u);
}

const struct stw_poison_report *stw_poison_report(void) {
    return &watch.report;
}

const void *stw_poison_memory(uint32_t *size_bytes) {
    *size_bytes = (uint32_t)sizeof watch;
    return &watch;
}
