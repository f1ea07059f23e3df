/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Where a model gets an input from that comes row by row (`stowage_model(stream_input = True)`), as a camera's line
 * interrupt delivers it: a run asks for rows when it needs them, and the input never is whole.
 */
#ifndef STOWAGE_ROWS_H
#define STOWAGE_ROWS_H

#include <stdint.h>

/*
 * A source of rows. In each run every row is asked for once, from the first on to the last that a layer reads (the few
 * below it, if any, that a stride leaves out are not).
 *
 *   read     writes rows [first_row, first_row + row_count) to `destination`, one behind the other, and returns 0; it may
 *            wait for them. It keeps neither the pointer nor what lies there. Any other value ends the run with
 *            STW_INPUT_ERROR, and nothing is asked for any more.
 *   context  is handed to it as it is.
 *
 * The model's header has the size of a row and what its elements are. The destination is as aligned as these are.
 */
struct stw_row_source {
    int (*read)(void *context, uint32_t first_row, uint32_t row_count, void *destination);
    void *context;
};

#endif /* STOWAGE_ROWS_H */
