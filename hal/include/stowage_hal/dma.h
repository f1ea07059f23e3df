/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_DMA_H
#define STOWAGE_HAL_DMA_H

#include <stdint.h>

/* Copies of memory that run while the core computes. An image that uses them links `//hal:dma`.
 *
 *     int32_t weights = stw_hal_dma_start(staging, slow_weights, sizeof slow_weights);
 *     compute();
 *     if (stw_hal_dma_wait(weights) != STW_HAL_DMA_DONE) {
 *         return -1;
 *     }
 *     use(staging);
 *
 * Between start and wait the copy may have moved any of its bytes or none: nobody writes the source, and nobody reads or
 * writes the destination. Source and destination don't overlap, and no two copies in flight write the same byte.
 *
 * A board whose file describes DMA controllers copies by them; they report the end by interrupt, so interrupts are
 * enabled when an image waits. On any other board the core itself copies, before stw_hal_dma_start returns: the same
 * program runs there, and nothing is won. All functions are for one thread: not for use in interrupts.
 *
 * Controllers move four bytes at a time where source, destination and size are multiples of 4, two where they are of 2,
 * else one. Where the core has a data cache, what it holds of the source is written back at the start, and what it holds
 * of the destination is dropped; there the destination and the size are multiples of 32, the line of those caches. */

/* What became of a copy. */
enum stw_hal_dma_status {
    STW_HAL_DMA_DONE,        /* all bytes have arrived */
    STW_HAL_DMA_RUNNING,     /* it goes on */
    STW_HAL_DMA_BUSY,        /* not started: stw_hal_dma_channels() copies are in flight */
    STW_HAL_DMA_UNREACHABLE, /* not started: a byte is in no region that the board's controllers reach */
    STW_HAL_DMA_MISALIGNED,  /* not started: it would spoil the neighbours' lines of the data cache */
    STW_HAL_DMA_ERROR,       /* the controller reported an error of the bus; some bytes may have arrived */
    STW_HAL_DMA_TIMEOUT,     /* the controller did not answer within a generous time, and was stopped */
    STW_HAL_DMA_UNKNOWN,     /* there is no such copy, or it was waited for already */
};

/* Starts to copy size_bytes bytes. Returns a handle for stw_hal_dma_wait, 0 or above; or, if it could not start, the
 * status as a negative number. Each handle is waited for once: until then it takes one of the channels. */
int32_t stw_hal_dma_start(void *to, const void *from, uint32_t size_bytes);

/* STW_HAL_DMA_RUNNING, or what stw_hal_dma_wait would return at once. The bytes may be used after that alone. */
enum stw_hal_dma_status stw_hal_dma_poll(int32_t handle);

/* Waits for the end of a copy and gives its channel back, whatever the status. What stw_hal_dma_start returned instead of a
 * handle may be passed too: the answer is the status that it stands for. */
enum stw_hal_dma_status stw_hal_dma_wait(int32_t handle);

/* How many copies can be in flight at once. */
uint32_t stw_hal_dma_channels(void);

#endif
