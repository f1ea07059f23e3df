/* SPDX-License-Identifier: Apache-2.0 */
/* Whether the buffers of a model fit below a limit: places are tried from below, and what is put off has to be pushed up.
 *
 * In a placement where nothing can be moved down, each buffer lies at its lowest place or on another buffer. So the
 * lowest open buffer (of equals that which has to come first) either lies at its lowest place, or is postponed until another one that is placed below it raises
 * that place; until then it can't be lower than the lowest end of those that could. A part of the buffers fails where
 * those of one section have no room above the lowest place that is left. Parts that no longer meet in time, and of
 * which nothing has to lie apart, are solved one after the other. */
#ifndef STOWAGE_MEMORY_SEARCH_SEARCH_H
#define STOWAGE_MEMORY_SEARCH_SEARCH_H

#include "model.h"

enum stw_answer { STW_NONE, STW_PLACED, STW_GAVE_UP };

struct stw_change {
    int32_t buffer;
    int64_t low;
    unsigned char postponed;
};

struct stw_node {
    int32_t head, count, parent, next, chosen, changes, placed, nodes;
};

/* `rank` orders buffers of one lowest place; `failures` counts by section where parts failed. */
struct stw_search {
    const struct stw_model *model;
    int64_t limit, tried;
    int64_t *low, *least, *unplaced, *floor;
    double *failures;
    int32_t *rank, *before, *after, *placed, *waiting;
    unsigned char *postponed, *is_placed;
    struct stw_change *change;
    struct stw_node *node;
    int32_t changes, places, nodes;
};

int stw_search_init(struct stw_search *search, const struct stw_model *model);
void stw_search_free(struct stw_search *search);
/* Tries at most so many places; where the answer is STW_PLACED, `low` holds the offsets. */
enum stw_answer stw_search_run(struct stw_search *search, int64_t tries);

#endif
