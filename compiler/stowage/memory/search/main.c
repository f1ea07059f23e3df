/* SPDX-License-Identifier: Apache-2.0 */
/* Reads a problem (model.h), then questions, each a limit and a number of tries. Answers each with a line: "placed", "none"
 * or "gave-up", the places that were tried, and the offsets by birth; lines "tried" with a number of places come before.
 * An answer depends on nothing but problem and question. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "order.h"

#define ORDERS 7
static const char *const ORDER[ORDERS] = {"XAT", "XWT", "YAT", "YWT", "TLS", "TWA", "TAW"};

/* Runs are short at first and each a twentieth longer than the one before, with another order of equals; four of the orders
 * come from where the runs before failed. How many places a run needs differs wildly between orders, so that many runs of
 * about one length find more than few of growing ones. */
static enum stw_answer solve(struct stw_search *s, struct stw_key *keys, int64_t tries) {
    int64_t run = 200;
    s->tried = 0;
    memset(s->failures, 0, (size_t)s->model->sections * sizeof *s->failures);
    for (int32_t round = 0; s->tried < tries; round++, run += run / 20) {
        stw_order_by(s, keys, ORDER[round % ORDERS]);
        int64_t left = tries - s->tried;
        enum stw_answer answer = stw_search_run(s, run < left ? run : left);
        if (answer != STW_GAVE_UP) {
            return answer == STW_NONE && !s->model->complete ? STW_GAVE_UP : answer;
        }
        for (int32_t k = 0; k < s->model->sections; k++) {
            s->failures[k] *= 0.75;
        }
        printf("tried %" PRId64 "\n", s->tried);
        fflush(stdout);
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
    fflush(stdout);
}

static void answer(struct stw_search *s, struct stw_key *keys) {
    int64_t tries;
    while (scanf("%" SCNd64 "%" SCNd64, &s->limit, &tries) == 2) {
        print(s, solve(s, keys, tries));
    }
}

int main(void) {
    struct stw_model model = {0};
    struct stw_search search = {0};
    struct stw_key *keys = NULL;
    if (stw_model_read(&model) && stw_search_init(&search, &model)) {
        keys = calloc((size_t)model.buffers, sizeof *keys);
    }
    if (keys) {
        answer(&search, keys);
    }
    free(keys);
    stw_search_free(&search);
    stw_model_free(&model);
    return keys ? 0 : 1;
}
