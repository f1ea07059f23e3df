/* SPDX-License-Identifier: Apache-2.0 */
/* What a part of the buffers needs at least, and whether that much is left below the limit. */
#ifndef STOWAGE_MEMORY_SEARCH_HOPE_H
#define STOWAGE_MEMORY_SEARCH_HOPE_H

#include "search.h"

/* Whether `count` unplaced buffers from `head` on may still fit; where a section has no room for them, it has failed once
 * more. */
int stw_hope_remains(struct stw_search *search, int32_t head, int32_t count);

#endif
