/* SPDX-License-Identifier: Apache-2.0 */
#include "order.h"

#include <stdlib.h>

static double of_sections(const struct stw_search *s, const struct stw_buffer *b, char what) {
    double most = 0, all = 0;
    for (int32_t k = b->begin; k < b->end; k++) {
        double value = what == 'T' ? (double)s->model->load[k] : s->failures[k];
        most = value > most ? value : most;
        all += value;
    }
    return what == 'Y' ? all : most;
}

static double measure(const struct stw_search *s, const struct stw_buffer *b, char what) {
    double life = (double)(b->last - b->first + 1);
    switch (what) {
    case 'A':
        return life * (double)b->size;
    case 'L':
        return (double)(b->rivals_end - b->rivals_begin);
    case 'S':
        return (double)b->size;
    case 'W':
        return life;
    default:
        return of_sections(s, b, what);
    }
}

static int compare(const void *left, const void *right) {
    const struct stw_key *a = left, *b = right;
    for (int i = 0; i < 3; i++) {
        if (a->by[i] > b->by[i] || a->by[i] < b->by[i]) {
            return a->by[i] > b->by[i] ? -1 : 1;
        }
    }
    return a->buffer < b->buffer ? -1 : 1;
}

void stw_order_by(struct stw_search *s, struct stw_key *keys, const char *order) {
    for (int32_t x = 0; x < s->model->buffers; x++) {
        keys[x].buffer = x;
        for (int i = 0; i < 3; i++) {
            keys[x].by[i] = measure(s, &s->model->buffer[x], order[i]);
        }
    }
    qsort(keys, (size_t)s->model->buffers, sizeof *keys, compare);
    for (int32_t i = 0; i < s->model->buffers; i++) {
        s->rank[keys[i].buffer] = i;
    }
}
