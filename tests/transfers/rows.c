/* SPDX-License-Identifier: Apache-2.0 */

/* An image in slow memory as the source of a model's rows, for tests: its rows by themselves, and a run of digits on them. */

#include "digits.h"
#include "stowage/dma_rows.h"

static struct stw_dma_rows rows;

void rows_begin(const uint8_t *image, uint32_t row_bytes, uint32_t row_count, uint8_t *tiles,
                uint32_t tile_rows);
int rows_read(uint32_t first_row, uint32_t row_count, void *destination);
void rows_finish(void);
int rows_run(void *arena);

void rows_begin(const uint8_t *image, uint32_t row_bytes, uint32_t row_count, uint8_t *tiles,
                uint32_t tile_rows) {
    rows = (struct stw_dma_rows){image, row_bytes, row_count, tiles, tile_rows, STW_DMA_ROWS_IDLE, 0u};
}

int rows_read(uint32_t first_row, uint32_t row_count, void *destination) {
    return stw_dma_rows_read(&rows, first_row, row_count, destination);
}

void rows_finish(void) {
    stw_dma_rows_finish(&rows);
}

int rows_run(void *arena) {
    const struct stw_row_source source = {stw_dma_rows_read, &rows};
    const int status = (int)digits_run(arena, &source);

    stw_dma_rows_finish(&rows);
    return status;
}
