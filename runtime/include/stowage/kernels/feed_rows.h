/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Rows of an input that the caller feeds while the model runs.
 *
 *   source  the caller's (rows.h)
 *   output  [row, column, channel] of any type: rows [first_row, first_row + rows) of the input
 *
 * Overlap: none. Returns STW_OK when the rows are there, else STW_INPUT_ERROR, and the output's bytes are any.
 */
#ifndef STOWAGE_KERNELS_FEED_ROWS_H
#define STOWAGE_KERNELS_FEED_ROWS_H

#include <stdint.h>

#include "stowage/core/kernel.h"
#include "stowage/model.h"
#include "stowage/rows.h"

struct stw_feed_rows_params {
    uint32_t first_row;
    uint32_t rows;
};

STW_KERNEL enum stw_status stw_feed_rows(const struct stw_feed_rows_params *p,
                                         const struct stw_row_source *source, void *output) {
    return source->read(source->context, p->first_row, p->rows, output) == 0 ? STW_OK : STW_INPUT_ERROR;
}

#endif
