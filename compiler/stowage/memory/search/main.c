/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a limit, a number of tries and a problem (model.h); writes "placed", "none" or "gave-up", the places that were
 * tried, and the offsets by birth. Runs are short at first and longer each time, each with another order of equals; half
 * of the orders come from where the runs before it failed. The answer depends on nothing but the input. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "search.h"

#define ORDERS 7
static const char *const ORDER[ORDERS] = {"XAT", "XWT", "YAT", "YWT", "TLS", "TWA", "TAW"};

struct key {
    double by[3];
    int32_t buffer;
};

static double of_sections(const struct stw_search *s, const struct stw_buffer *b, char what) {
    double most = 0, all = 0;
    for (int32_t k = b->begin; k < b->end; k++) {
        double value = what == 'T' ? (double)s->model->load[k] : s->failures[k];
        most = value > most ? value : most;
        all += value;
    }
    return what == 'Y' ? all : most;
}

/* Letters: A area, L rivals, S size, T load of the fullest section, W life, X and Y most and all failures of sections. */
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
    const struct key *a = left, *b = right;
    for (int i = 0; i < 3; i++) {
        if (a->by[i] > b->by[i] || a->by[i] < b->by[i]) {
            return a->by[i] > b->by[i] ? -1 : 1;
        }
    }
    return a->buffer < b->buffer ? -1 : 1;
}

static void rank(struct stw_search *s, struct key *keys, const char *order) {
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

static enum stw_answer solve(struct stw_search *s, struct key *keys, int64_t tries) {
    int64_t run = 200;
    for (int32_t round = 0; tries > 0; round++, run += run / 5) {
        rank(s, keys, ORDER[round % ORDERS]);
        int64_t before = s->tried;
        enum stw_answer answer = stw_search_run(s, run < tries ? run : tries);
        tries -= s->tried - before;
        if (answer != STW_GAVE_UP) {
            return answer == STW_NONE && !s->model->complete ? STW_GAVE_UP : answer;
        }
        for (int32_t k = 0; k < s->model->sections; k++) {
            s->failures[k] *= 0.75;
        }
    }
    return STW_GAVE_UP;
}

static void print(const struct stw_search *s, enum stw_answer answer) {
    static const char *const names[] = {"none", "placed", "gave-up"};
    printf("%s %" PRId64, names[answer], s->tried);
    for (int32_t x = 0; answer == STW_PLACED && x < s->model->buffers; x++) {
        printf(" %" PRId64, s->low[x]);
    }
    printf("\n");
}

int main(void) {
    struct stw_model model = {0};
    struct stw_search search = {0};
    struct key *keys = NULL;
    int64_t tries = 0;
    int ready = scanf("%" SCNd64 "%" SCNd64, &search.limit, &tries) == 2 && stw_model_read(&model) &&
                stw_search_init(&search, &model);
    keys = ready ? calloc((size_t)model.buffers, sizeof *keys) : NULL;
    if (keys) {
        print(&search, solve(&search, keys, tries));
    }
    free(keys);
    stw_search_free(&search);
    stw_model_free(&model);
    return keys ? 0 : 1;
}
