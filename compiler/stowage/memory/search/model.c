/* SPDX-License-Identifier: Apache-2.0 */
#include "model.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static int read_buffer(struct stw_model *model, struct stw_buffer *b) {
    int64_t pad;
    if (scanf("%" SCNd64 "%" SCNd64 "%" SCNd64 "%" SCNd64 "%" SCNd64 "%" SCNd64 "%" SCNd64, &b->size,
              &b->alignment, &b->first, &b->last, &b->fixed, &b->weight, &pad) != 7) {
        return 0;
    }
    model->slack = pad > model->slack ? pad : model->slack;
    return 1;
}

static int read_rivals(struct stw_model *model, int32_t count) {
    int32_t last = -1;
    for (int32_t i = 0; i < count; i++) {
        struct stw_rival *r = &model->rival[i];
        int32_t from;
        if (scanf("%" SCNd32 "%" SCNd32 "%" SCNd64 "%" SCNd64, &from, &r->other, &r->over, &r->under) != 4 ||
            from < last || from >= model->buffers || r->other < 0 || r->other >= model->buffers) {
            return 0;
        }
        while (last < from) {
            last++;
            model->buffer[last].rivals_begin = model->buffer[last].rivals_end = i;
        }
        model->buffer[from].rivals_end = i + 1;
        model->complete = model->complete && r->over >= 0;
    }
    return 1;
}

static int dies_before_next(const struct stw_model *model, int32_t born, int64_t moment) {
    int64_t next = born < model->buffers ? model->buffer[born].first : STW_FAR;
    for (int32_t i = 0; i < born; i++) {
        if (model->buffer[i].last >= moment && model->buffer[i].last < next) {
            return 1;
        }
    }
    return 0;
}

/* A moment of birth after which nobody dies before the next one is part of that one's section. */
static void find_sections(struct stw_model *model) {
    for (int32_t i = 0; i < model->buffers; i++) {
        model->buffer[i].begin = model->sections;
        int64_t moment = model->buffer[i].first;
        int last_born = i + 1 == model->buffers || model->buffer[i + 1].first > moment;
        if (last_born && dies_before_next(model, i + 1, moment)) {
            for (int32_t j = 0; j <= i; j++) {
                struct stw_buffer *b = &model->buffer[j];
                if (b->last >= moment) {
                    b->end = model->sections + 1;
                    model->load[model->sections] += b->fixed == STW_UNFIXED ? b->weight : 0;
                }
            }
            model->sections++;
        }
    }
}

static void note_rivals(const struct stw_model *model, struct stw_buffer *b) {
    for (int32_t i = b->rivals_begin; i < b->rivals_end; i++) {
        const struct stw_buffer *other = &model->buffer[model->rival[i].other];
        b->beside_fixed = b->beside_fixed || other->fixed != STW_UNFIXED;
        int meets = other->first <= b->last && b->first <= other->last;
        b->unlike =
            b->unlike || !meets || model->rival[i].over != b->size || model->rival[i].under != other->size;
    }
}

static void find_reach(const struct stw_model *model, struct stw_buffer *b) {
    b->reach = b->end;
    for (int32_t i = b->rivals_begin; i < b->rivals_end; i++) {
        int32_t next = model->buffer[model->rival[i].other].begin + 1;
        b->reach = next > b->reach ? next : b->reach;
    }
}

static int raise_turn(const struct stw_model *model, struct stw_buffer *b) {
    int32_t turn = b->turn;
    for (int32_t i = b->rivals_begin; i < b->rivals_end; i++) {
        const struct stw_rival *r = &model->rival[i];
        if (stw_rival_comes_before(r) && model->buffer[r->other].turn >= b->turn) {
            b->turn = model->buffer[r->other].turn + 1;
        }
    }
    return b->turn > turn;
}

/* Returns 0 where buffers wait for each other in a circle. */
static int find_turns(const struct stw_model *model) {
    int raised = 1;
    for (int32_t round = 0; raised && round <= model->buffers; round++) {
        raised = 0;
        for (int32_t i = 0; i < model->buffers; i++) {
            raised = raise_turn(model, &model->buffer[i]) || raised;
        }
    }
    return !raised;
}

int stw_model_read(struct stw_model *model) {
    int32_t rivals;
    if (scanf("%" SCNd32 "%" SCNd32, &model->buffers, &rivals) != 2 || model->buffers < 1 || rivals < 0) {
        return 0;
    }
    model->buffer = calloc((size_t)model->buffers, sizeof *model->buffer);
    model->rival = calloc((size_t)rivals + 1, sizeof *model->rival);
    model->load = calloc((size_t)model->buffers, sizeof *model->load);
    if (!model->buffer || !model->rival || !model->load) {
        return 0;
    }
    model->complete = 1;
    for (int32_t i = 0; i < model->buffers; i++) {
        if (!read_buffer(model, &model->buffer[i])) {
            return 0;
        }
    }
    if (!read_rivals(model, rivals)) {
        return 0;
    }
    for (int32_t i = 0; i < model->buffers; i++) {
        note_rivals(model, &model->buffer[i]);
    }
    find_sections(model);
    for (int32_t i = 0; i < model->buffers; i++) {
        find_reach(model, &model->buffer[i]);
    }
    model->complete = find_turns(model) && model->complete;
    return 1;
}

void stw_model_free(struct stw_model *model) {
    free(model->buffer);
    free(model->rival);
    free(model->load);
}

static int64_t aligned(int64_t place, int64_t alignment) {
    return place <= 0 ? 0 : (place + alignment - 1) / alignment * alignment;
}

int64_t stw_model_lowest(const struct stw_model *model, int32_t buffer, int64_t place) {
    const struct stw_buffer *b = &model->buffer[buffer];
    int64_t found = aligned(place, b->alignment);
    for (int moved = b->beside_fixed; moved;) {
        moved = 0;
        for (int32_t i = b->rivals_begin; i < b->rivals_end; i++) {
            const struct stw_rival *r = &model->rival[i];
            int64_t fixed = model->buffer[r->other].fixed;
            if (fixed != STW_UNFIXED && found > fixed - r->over && found < fixed + r->under) {
                found = aligned(fixed + r->under, b->alignment);
                moved = 1;
            }
        }
    }
    return found;
}
