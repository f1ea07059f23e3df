/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A source of rows (rows.h) for an image that lies in slow memory: DMA brings its rows into fast memory, two tiles of them
 * ahead, while the model computes on those before.
 *
 *     static uint8_t tiles[STW_DMA_ROWS_TILES * TILE_ROWS * ROW_BYTES];    in fast memory
 *     struct stw_dma_rows rows = {image, ROW_BYTES, ROWS, tiles, TILE_ROWS, STW_DMA_ROWS_IDLE, 0u};
 *     const struct stw_row_source source = {stw_dma_rows_read, &rows};
 *
 * Tile k is rows [k * TILE_ROWS, (k + 1) * TILE_ROWS), or fewer at the end, and lies in the first or second half of
 * `tiles`, by turns. A copy into a half is started when all rows of the tile before there were handed on, and waited for
 * before the first row of it is. What suits the model is its macro ..._ROWS_AT_ONCE. Where the core has a data cache, the
 * bytes of a tile, those of the last one too, are a multiple of 32, and so is the address of `tiles`.
 *
 * The firmware links //hal:dma. The image is not to be written until stw_dma_rows_finish was called after a run: the
 * model may need fewer rows than all.
 */
#ifndef STOWAGE_DMA_ROWS_H
#define STOWAGE_DMA_ROWS_H

#include <stdint.h>

#include "stowage_hal/dma.h"
#include "stowage_hal/memory.h"

#define STW_DMA_ROWS_TILES 2u

/* Instead of handles: nothing is in flight. */
#define STW_DMA_ROWS_NONE (-1)
#define STW_DMA_ROWS_IDLE {STW_DMA_ROWS_NONE, STW_DMA_ROWS_NONE}

/* The first five are the caller's to set, the others stw_dma_rows_read's. */
struct stw_dma_rows {
    const uint8_t *image;
    uint32_t row_bytes;
    uint32_t row_count;
    uint8_t *tiles;
    uint32_t tile_rows;
    int32_t in_flight[STW_DMA_ROWS_TILES]; /* handles of copies */
    uint32_t arrived;                      /* tiles that were waited for in this run */
};

static inline uint8_t *stw_dma_rows_half(const struct stw_dma_rows *rows, uint32_t tile) {
    return rows->tiles + (tile % STW_DMA_ROWS_TILES) * rows->tile_rows * rows->row_bytes;
}

/* Starts the copy of a tile, if there is one of that number. Returns whether it could. */
static inline int stw_dma_rows_start(struct stw_dma_rows *rows, uint32_t tile) {
    const uint32_t first = tile * rows->tile_rows;

    if (first >= rows->row_count) {
        return 1;
    }
    const uint32_t left = rows->row_count - first;
    const uint32_t count = left < rows->tile_rows ? left : rows->tile_rows;
    const int32_t handle = stw_hal_dma_start(stw_dma_rows_half(rows, tile),
                                             rows->image + first * rows->row_bytes, count * rows->row_bytes);
    rows->in_flight[tile % STW_DMA_ROWS_TILES] = handle >= 0 ? handle : STW_DMA_ROWS_NONE;
    return handle >= 0;
}

/* Waits for a half, if a copy to it is in flight. Returns whether one was, and all of its bytes are there. */
static inline int stw_dma_rows_wait(struct stw_dma_rows *rows, uint32_t half) {
    const int32_t handle = rows->in_flight[half];

    rows->in_flight[half] = STW_DMA_ROWS_NONE;
    return handle >= 0 && stw_hal_dma_wait(handle) == STW_HAL_DMA_DONE;
}

/* Waits for what is in flight, whatever becomes of it. */
static inline void stw_dma_rows_finish(struct stw_dma_rows *rows) {
    for (uint32_t half = 0u; half < STW_DMA_ROWS_TILES; half++) {
        (void)stw_dma_rows_wait(rows, half);
    }
}

/* Hands on rows of one tile, and has the next but one brought when none is left of it. Returns whether it could. */
static inline int stw_dma_rows_hand_on(struct stw_dma_rows *rows, uint32_t tile, uint32_t first_row,
                                       uint32_t row_count, uint8_t *destination) {
    if (tile >= rows->arrived) {
        if (!stw_dma_rows_wait(rows, tile % STW_DMA_ROWS_TILES)) {
            return 0;
        }
        rows->arrived = tile + 1u;
    }
    (void)memcpy(destination,
                 stw_dma_rows_half(rows, tile) + (first_row - tile * rows->tile_rows) * rows->row_bytes,
                 row_count * rows->row_bytes);
    return first_row + row_count < (tile + 1u) * rows->tile_rows ||
           stw_dma_rows_start(rows, tile + STW_DMA_ROWS_TILES);
}

/* `read` of a source. Nothing is in flight when it fails. */
static inline int stw_dma_rows_read(void *context, uint32_t first_row, uint32_t row_count,
                                    void *destination) {
    struct stw_dma_rows *rows = (struct stw_dma_rows *)context;
    uint8_t *to = (uint8_t *)destination;
    const uint32_t end = first_row + row_count;
    uint32_t row = first_row;
    int is_sound = 1;

    if (first_row == 0u) {
        stw_dma_rows_finish(rows);
        rows->arrived = 0u;
        if (!stw_dma_rows_start(rows, 0u) || !stw_dma_rows_start(rows, 1u)) {
            is_sound = 0;
        }
    }
    while (is_sound && row < end) {
        const uint32_t tile = row / rows->tile_rows;
        const uint32_t tile_end = (tile + 1u) * rows->tile_rows;
        const uint32_t count = (end < tile_end ? end : tile_end) - row;

        is_sound = stw_dma_rows_hand_on(rows, tile, row, count, to);
        row += count;
        to += count * rows->row_bytes;
    }
    if (!is_sound) {
        stw_dma_rows_finish(rows);
    }
    return is_sound ? 0 : -1;
}

#endif /* STOWAGE_DMA_ROWS_H */
