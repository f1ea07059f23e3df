/* SPDX-License-Identifier: Apache-2.0 */
/* Which of the buffers with one lowest place is tried first. */
#ifndef STOWAGE_MEMORY_SEARCH_ORDER_H
#define STOWAGE_MEMORY_SEARCH_ORDER_H

#include "search.h"

struct stw_key {
    double by[3];
    int32_t buffer;
};

/* Ranks by three letters, what is greater first: A area, L rivals, S size, T load of the fullest section, W life, X and Y
 * most and all failures of sections. `keys` is room for one a buffer. */
void stw_order_by(struct stw_search *search, struct stw_key *keys, const char *order);

#endif
