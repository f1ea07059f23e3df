/* SPDX-License-Identifier: Apache-2.0 */
#include "hope.h"

/* The lowest place of a postponed buffer on top of one that has no place yet. */
static int64_t supported(const struct stw_search *s, int32_t x) {
    const struct stw_buffer *b = &s->model->buffer[x];
    int64_t least = STW_FAR;
    for (int32_t i = b->rivals_begin; i < b->rivals_end; i++) {
        const struct stw_rival *r = &s->model->rival[i];
        int64_t top = s->least[r->other] + r->under;
        if (!s->is_placed[r->other] && s->least[r->other] < STW_FAR) {
            top = top > s->low[x] ? top : s->low[x] + 1;
            least = top < least ? top : least;
        }
    }
    return least < STW_FAR ? stw_model_lowest(s->model, x, least) : STW_FAR;
}

static void find_least(struct stw_search *s, int32_t head, int32_t count) {
    int32_t waiting = 0;
    for (int32_t i = 0, x = head; i < count; i++, x = s->after[x]) {
        s->least[x] = s->postponed[x] ? STW_FAR : s->low[x];
        if (s->postponed[x]) {
            s->waiting[waiting++] = x;
        }
    }
    for (int lowered = waiting > 0; lowered;) {
        lowered = 0;
        for (int32_t i = 0; i < waiting; i++) {
            int64_t least = supported(s, s->waiting[i]);
            if (least < s->least[s->waiting[i]]) {
                s->least[s->waiting[i]] = least;
                lowered = 1;
            }
        }
    }
}

static void lower_floors(struct stw_search *s, int32_t x) {
    for (int32_t k = s->model->buffer[x].begin; k < s->model->buffer[x].end; k++) {
        s->floor[k] = s->least[x] < s->floor[k] ? s->least[x] : s->floor[k];
    }
}

int stw_hope_remains(struct stw_search *s, int32_t head, int32_t count) {
    int32_t begin = s->model->sections, end = 0;
    find_least(s, head, count);
    for (int32_t i = 0, x = head; i < count; i++, x = s->after[x]) {
        const struct stw_buffer *b = &s->model->buffer[x];
        if (s->least[x] + b->size > s->limit) {
            return 0;
        }
        begin = b->begin < begin ? b->begin : begin;
        end = b->end > end ? b->end : end;
    }
    for (int32_t k = begin; k < end; k++) {
        s->floor[k] = STW_FAR;
    }
    for (int32_t i = 0, x = head; i < count; i++, x = s->after[x]) {
        lower_floors(s, x);
    }
    for (int32_t k = begin; k < end; k++) {
        if (s->floor[k] < STW_FAR && s->floor[k] + s->unplaced[k] > s->limit + s->model->slack) {
            s->failures[k] += 1;
            return 0;
        }
    }
    return 1;
}
