/* SPDX-License-Identifier: Apache-2.0 */
/* A placement problem as the search sees it: buffers by number in the order of birth, who is in whose way, and the
 * sections of time, which are the largest sets of buffers that live at one moment. */
#ifndef STOWAGE_MEMORY_SEARCH_MODEL_H
#define STOWAGE_MEMORY_SEARCH_MODEL_H

#include <stdint.h>

#define STW_UNFIXED INT64_C(-1)
#define STW_FAR (INT64_C(1) << 60)

/* One that is in a buffer's way: `over` is how far it starts above that buffer if it is above, `under` how far below. */
struct stw_rival {
    int32_t other;
    int64_t over, under;
};

/* `weight`: the bytes that a buffer needs of a section for itself alone. Begin and end are numbers of sections.
 * `reach`: from that section on nothing has to lie apart from it. `beside_fixed`: a rival has a given place. `unlike`: it
 * may overlap a rival, or has one that never lives with it. `turn`: after how many, of those that start at one place, its
 * own is; 0 but for buffers that may start where a rival does if that one is placed before. */
struct stw_buffer {
    int64_t size, alignment, first, last, fixed, weight;
    int32_t begin, end, reach, rivals_begin, rivals_end, turn;
    int beside_fixed, unlike;
};

/* `slack`: what the last grain of the highest buffer may save. `complete`: "there are none" is a proof. */
struct stw_model {
    int32_t buffers, sections;
    struct stw_buffer *buffer;
    struct stw_rival *rival;
    int64_t *load;
    int64_t slack;
    int complete;
};

/* Whether a rival that starts where a buffer starts has to be placed before it: placed after it, it would be raised. */
static inline int stw_rival_comes_before(const struct stw_rival *rival) {
    return rival->under == 0 && rival->over > 0;
}

/* Reads "N M", N buffers "size alignment first last fixed weight pad" by birth and M pairs "below above over under", each
 * pair once in each direction, sorted by the first. Returns 0 where the text is no problem or memory ran out. */
int stw_model_read(struct stw_model *model);
void stw_model_free(struct stw_model *model);

/* The lowest legal offset of a buffer from a place on, buffers with given places considered. */
int64_t stw_model_lowest(const struct stw_model *model, int32_t buffer, int64_t place);

#endif
