/* SPDX-License-Identifier: Apache-2.0 */
#include "search.h"

#include "hope.h"

#include <stdlib.h>
#include <string.h>

int stw_search_init(struct stw_search *s, const struct stw_model *model) {
    size_t n = (size_t)model->buffers + 1;
    size_t rivals = 0;
    for (int32_t i = 0; i < model->buffers; i++) {
        rivals += (size_t)(model->buffer[i].rivals_end - model->buffer[i].rivals_begin);
    }
    s->model = model;
    s->low = calloc(4 * n, sizeof *s->low);
    s->failures = calloc(n, sizeof *s->failures);
    s->rank = calloc(5 * n, sizeof *s->rank);
    s->postponed = calloc(2 * n, 1);
    /* A place raises each rival once at most; a buffer is postponed once at first, and once after each time it is raised. */
    s->change = calloc(2 * rivals + 2 * n, sizeof *s->change);
    s->node = calloc(2 * n + 2, sizeof *s->node);
    if (!s->low || !s->failures || !s->rank || !s->postponed || !s->change || !s->node) {
        return 0;
    }
    s->least = s->low + n, s->unplaced = s->least + n, s->floor = s->unplaced + n;
    s->before = s->rank + n, s->after = s->before + n, s->placed = s->after + n, s->waiting = s->placed + n;
    s->is_placed = s->postponed + n;
    return 1;
}

void stw_search_free(struct stw_search *s) {
    free(s->low);
    free(s->failures);
    free(s->rank);
    free(s->postponed);
    free(s->change);
    free(s->node);
}

/* An open rival at a buffer's lowest place that has to be placed before it, or -1. */
static int32_t waited_for(const struct stw_search *s, int32_t x) {
    const struct stw_buffer *b = &s->model->buffer[x];
    for (int32_t i = b->rivals_begin; b->turn > 0 && i < b->rivals_end; i++) {
        const struct stw_rival *r = &s->model->rival[i];
        int is_open = !s->is_placed[r->other] && !s->postponed[r->other];
        if (is_open && s->low[r->other] == s->low[x] && stw_rival_comes_before(r)) {
            return r->other;
        }
    }
    return -1;
}

static int32_t lowest_open(const struct stw_search *s, const struct stw_node *node) {
    int32_t best = -1;
    for (int32_t i = 0, x = node->head; i < node->count; i++, x = s->after[x]) {
        if (!s->postponed[x] && (best < 0 || s->low[x] < s->low[best] ||
                                 (s->low[x] == s->low[best] && s->rank[x] < s->rank[best]))) {
            best = x;
        }
    }
    for (int32_t i = 0, x = best; x >= 0 && i < node->count; i++, x = waited_for(s, x)) {
        best = x;
    }
    return best;
}

static void note(struct stw_search *s, int32_t x) {
    s->change[s->changes++] = (struct stw_change){x, s->low[x], s->postponed[x]};
}

static void weigh(struct stw_search *s, int32_t x, int64_t sign) {
    for (int32_t k = s->model->buffer[x].begin; k < s->model->buffer[x].end; k++) {
        s->unplaced[k] += sign * s->model->buffer[x].weight;
    }
}

static void unlink_buffer(struct stw_search *s, int32_t x) {
    s->after[s->before[x]] = s->after[x];
    s->before[s->after[x]] = s->before[x];
    s->is_placed[x] = 1;
}

static void place(struct stw_search *s, int32_t x) {
    const struct stw_buffer *b = &s->model->buffer[x];
    unlink_buffer(s, x);
    s->placed[s->places++] = x;
    weigh(s, x, -1);
    for (int32_t i = b->rivals_begin; i < b->rivals_end; i++) {
        const struct stw_rival *r = &s->model->rival[i];
        int64_t above = s->low[x] + r->over;
        if (!s->is_placed[r->other] && above > s->low[r->other]) {
            note(s, r->other);
            s->low[r->other] = stw_model_lowest(s->model, r->other, above);
            s->postponed[r->other] = 0;
        }
    }
}

static void undo(struct stw_search *s, const struct stw_node *node) {
    while (s->changes > node->changes) {
        const struct stw_change *change = &s->change[--s->changes];
        s->low[change->buffer] = change->low;
        s->postponed[change->buffer] = change->postponed;
    }
    while (s->places > node->placed) {
        int32_t x = s->placed[--s->places];
        s->is_placed[x] = 0;
        s->after[s->before[x]] = s->before[s->after[x]] = x;
        weigh(s, x, 1);
    }
    s->nodes = node->nodes;
}

/* Cuts what is left of a node's part where no buffer reaches on: from its head on, parts become nodes. */
static void split(struct stw_search *s, int32_t parent, int32_t head, int32_t count) {
    while (count > 0) {
        struct stw_node part = {head, 0, parent, -1, -1, 0, 0, 0};
        int32_t end = 0;
        while (count > 0 && (part.count == 0 || s->model->buffer[head].begin < end)) {
            end = s->model->buffer[head].reach > end ? s->model->buffer[head].reach : end;
            part.count++;
            count--;
            head = s->after[head];
        }
        s->node[s->nodes++] = part;
    }
}

/* Links the nodes from one on, the smallest first, and what comes after them. */
static void queue(struct stw_search *s, int32_t from, int32_t then) {
    for (int32_t i = from + 1; i < s->nodes; i++) {
        struct stw_node moved = s->node[i];
        int32_t j = i;
        for (; j > from && s->node[j - 1].count > moved.count; j--) {
            s->node[j] = s->node[j - 1];
        }
        s->node[j] = moved;
    }
    for (int32_t i = from; i < s->nodes; i++) {
        s->node[i].next = i + 1 < s->nodes ? i + 1 : then;
    }
}

/* Places one buffer of a node's part; gives the node to go on with, or -1, and whether there is hope. */
static int descend(struct stw_search *s, int32_t at, int32_t *next) {
    struct stw_node *node = &s->node[at];
    int32_t from = s->nodes;
    node->chosen = lowest_open(s, node);
    node->changes = s->changes, node->placed = s->places, node->nodes = s->nodes;
    place(s, node->chosen);
    split(s, at, node->head == node->chosen ? s->after[node->chosen] : node->head, node->count - 1);
    queue(s, from, node->next);
    *next = from < s->nodes ? from : node->next;
    for (int32_t i = from; i < s->nodes; i++) {
        if (!stw_hope_remains(s, s->node[i].head, s->node[i].count)) {
            return 0;
        }
    }
    return 1;
}

static int alike(const struct stw_search *s, int32_t x, int32_t y) {
    const struct stw_buffer *a = &s->model->buffer[x], *b = &s->model->buffer[y];
    return a->size == b->size && a->alignment == b->alignment && a->first == b->first && a->last == b->last &&
           s->low[x] == s->low[y] && !a->unlike && !b->unlike;
}

/* Postpones a node's choice, and what could change places with it. */
static void postpone(struct stw_search *s, const struct stw_node *node) {
    for (int32_t i = 0, x = node->head; i < node->count; i++, x = s->after[x]) {
        if (x == node->chosen || (!s->postponed[x] && alike(s, x, node->chosen))) {
            note(s, x);
            s->postponed[x] = 1;
        }
    }
}

/* Takes back a node's choice and postpones it; the node, or the nearest above it, for which there is still hope, or -1. */
static int32_t retreat(struct stw_search *s, int32_t at) {
    for (; at >= 0; at = s->node[at].parent) {
        const struct stw_node *node = &s->node[at];
        undo(s, node);
        postpone(s, node);
        if (stw_hope_remains(s, node->head, node->count)) {
            return at;
        }
    }
    return -1;
}

/* Everything unplaced in order of birth, but for the buffers with given places. Returns how many are free. */
static int32_t reset(struct stw_search *s) {
    int32_t n = s->model->buffers, free_buffers = n;
    s->changes = s->places = 0;
    memcpy(s->unplaced, s->model->load, (size_t)n * sizeof *s->unplaced);
    memset(s->postponed, 0, 2 * ((size_t)n + 1));
    for (int32_t x = 0; x <= n; x++) {
        s->after[x] = x == n ? 0 : x + 1;
        s->before[x] = x == 0 ? n : x - 1;
    }
    for (int32_t x = 0; x < n; x++) {
        int64_t fixed = s->model->buffer[x].fixed;
        s->low[x] = fixed != STW_UNFIXED ? fixed : stw_model_lowest(s->model, x, 0);
        if (fixed != STW_UNFIXED) {
            unlink_buffer(s, x);
            free_buffers--;
        }
    }
    return free_buffers;
}

enum stw_answer stw_search_run(struct stw_search *s, int64_t tries) {
    int32_t count = reset(s), head = s->after[s->model->buffers], at = 0, next = -1;
    s->node[0] = (struct stw_node){head, count, -1, -1, -1, 0, 0, 0};
    s->nodes = 1;
    if (count == 0 || !stw_hope_remains(s, head, count)) {
        return count == 0 ? STW_PLACED : STW_NONE;
    }
    for (; tries > 0; tries--) {
        s->tried++;
        if (descend(s, at, &next)) {
            if (next < 0) {
                return STW_PLACED;
            }
            at = next;
        } else if ((at = retreat(s, at)) < 0) {
            return STW_NONE;
        }
    }
    return STW_GAVE_UP;
}
