/* SPDX-License-Identifier: Apache-2.0 */

/* Copies by DMA arrive whole and touch nothing else: every alignment, small sizes, sizes beyond what a controller takes at once,
 * many at once, one round while the next is on its way. */

#include <stdint.h>

#include "hal/conformance/check.h"
#include "stowage_hal/dma.h"
#include "stw_board.h"

enum {
    LARGEST = 40,
    ROOM = LARGEST + 16,
    LONG_BYTES = 4200,
    ROUNDS = 6,
    ROUND_BYTES = 64,
    MOST_CHANNELS = 64
};

/* As a controller with a data cache in front needs it; elsewhere any alignment does. */
enum { GRAIN = STW_BOARD_DMA_CHANNELS > 0 && STW_BOARD_CORE_HAS_CACHES ? 32 : 1 };

__attribute__((section(".stw_arena.conformance_dma"),
               aligned(32))) static uint8_t destination[LONG_BYTES + 64];
static uint8_t source[LARGEST + 8] __attribute__((aligned(4)));

/* Copies from it read the region of weights; the bytes themselves are whatever the linker put there. */
__attribute__((section(".stw_weights.conformance_dma"),
               aligned(4))) static const uint8_t constants[LONG_BYTES + 8] = {
    1, 2, 3, 4, 5, 6, 7, [1000] = 9, [2047] = 11, [4095] = 13, [4199] = 17, 19};

static void fill(uint8_t *bytes, uint32_t size_bytes, uint32_t step) {
    for (uint32_t i = 0; i < size_bytes; i++) {
        bytes[i] = (uint8_t)(i * step + 1u);
    }
}

/* Whether the `size_bytes` bytes `to` bytes in are those of `from`, and the rest still holds what fill wrote. */
static int has_arrived(uint32_t to, const uint8_t *from, uint32_t size_bytes, uint32_t room_bytes) {
    int holds = 1;
    for (uint32_t i = 0; i < room_bytes; i++) {
        const int is_inside = i >= to && i - to < size_bytes;
        holds &= destination[i] == (is_inside ? from[i - to] : (uint8_t)(i * 3u + 1u));
    }
    return holds;
}

static int copy_holds(uint32_t to, const uint8_t *from, uint32_t size_bytes, uint32_t room_bytes) {
    fill(destination, room_bytes, 3);
    const int32_t handle = stw_hal_dma_start(destination + to, from, size_bytes);
    return handle >= 0 && stw_hal_dma_wait(handle) == STW_HAL_DMA_DONE &&
           has_arrived(to, from, size_bytes, room_bytes);
}

static int small_copies_hold(void) {
    int holds = 1;
    fill(source, sizeof source, 5);
    for (uint32_t to = 0; to < 4u; to += GRAIN) {
        for (uint32_t from = 0; from < 4u; from++) {
            for (uint32_t size_bytes = 0; size_bytes <= LARGEST; size_bytes += GRAIN) {
                holds &= copy_holds(to, source + from, size_bytes, ROOM);
            }
        }
    }
    return holds;
}

static int long_copies_hold(void) {
    const uint32_t shift = GRAIN == 1 ? 1u : 0u;
    const uint32_t size_bytes = LONG_BYTES / GRAIN * GRAIN;
    return copy_holds(0, constants, size_bytes, sizeof destination) &&
           copy_holds(shift, constants + 2, size_bytes, sizeof destination) &&
           copy_holds(shift, constants + 1, size_bytes, sizeof destination);
}

static int poll_tells_the_end(void) {
    fill(destination, ROOM, 3);
    fill(source, sizeof source, 7);
    const int32_t handle = stw_hal_dma_start(destination, source, 32);
    for (uint32_t turn = 0; turn < 1000000u && stw_hal_dma_poll(handle) == STW_HAL_DMA_RUNNING; turn++) {
    }
    return stw_hal_dma_poll(handle) == STW_HAL_DMA_DONE && stw_hal_dma_wait(handle) == STW_HAL_DMA_DONE &&
           stw_hal_dma_poll(handle) == STW_HAL_DMA_UNKNOWN &&
           stw_hal_dma_wait(handle) == STW_HAL_DMA_UNKNOWN && has_arrived(0, source, 32, ROOM);
}

/* As many as there are channels, and one more, which has to be refused; waited for in another order than started. */
static int many_at_once_hold(void) {
    const uint32_t channels = stw_hal_dma_channels();
    int32_t handles[MOST_CHANNELS];
    int holds = channels >= 1u && channels <= MOST_CHANNELS;

    fill(destination, MOST_CHANNELS * 32u, 3);
    for (uint32_t i = 0; holds && i < channels; i++) {
        handles[i] = stw_hal_dma_start(destination + 32u * i, constants + 4u * i, 32);
        holds &= handles[i] >= 0;
    }
    holds &= stw_hal_dma_wait(stw_hal_dma_start(destination, constants, 32)) == STW_HAL_DMA_BUSY;
    for (uint32_t i = channels; holds && i-- > 0u;) {
        holds &= stw_hal_dma_wait(handles[i]) == STW_HAL_DMA_DONE;
        for (uint32_t k = 0; k < 32u; k++) {
            holds &= destination[32u * i + k] == constants[4u * i + k];
        }
    }
    return holds;
}

/* Two buffers in turn: each round reads one while the other is being filled. */
static int overlapping_rounds_hold(void) {
    int32_t coming = stw_hal_dma_start(destination, constants, ROUND_BYTES);
    int holds = 1;

    for (uint32_t round = 0; round < ROUNDS; round++) {
        const uint8_t *here = destination + round % 2u * ROUND_BYTES;
        holds &= stw_hal_dma_wait(coming) == STW_HAL_DMA_DONE;
        coming = stw_hal_dma_start(destination + (round + 1u) % 2u * ROUND_BYTES,
                                   constants + (round + 1u) * ROUND_BYTES, ROUND_BYTES);
        for (uint32_t i = 0; i < ROUND_BYTES; i++) {
            holds &= here[i] == constants[round * ROUND_BYTES + i];
        }
    }
    return stw_hal_dma_wait(coming) == STW_HAL_DMA_DONE && holds;
}

#if STW_BOARD_DMA_CHANNELS > 0
/* The last bytes of a region and the first behind it; and memory that no board has. */
static void check_reach(void) {
    uint8_t *const nowhere = (uint8_t *)0x9FFFFF00u;
    fill(destination, ROOM, 3);
    check("DMA to where no controller reaches is refused",
          stw_hal_dma_wait(stw_hal_dma_start(nowhere, source, 32)) == STW_HAL_DMA_UNREACHABLE);
    check("DMA from where no controller reaches is refused",
          stw_hal_dma_wait(stw_hal_dma_start(destination, nowhere, 32)) == STW_HAL_DMA_UNREACHABLE &&
              has_arrived(0, source, 0, ROOM));
#define CROSSES(name, base, bytes)                                                                           \
    check("DMA across the end of region " name " is refused",                                                \
          stw_hal_dma_wait(stw_hal_dma_start(destination, (const uint8_t *)((base) + (bytes) - 32u), 64)) == \
              STW_HAL_DMA_UNREACHABLE);
    STW_BOARD_DMA_REGIONS(CROSSES)
    check("DMA works after a refusal", copy_holds(0, constants, 32, ROOM));
}

/* Without interrupts the driver never hears of the end, as of a controller that is stuck. */
static void check_time_limit(void) {
    __asm__ volatile("cpsid i" ::: "memory");
    const int32_t handle = stw_hal_dma_start(destination, source, 32);
    const enum stw_hal_dma_status status = stw_hal_dma_wait(handle);
    __asm__ volatile("cpsie i" ::: "memory");
    check("DMA that does not tell its end is given up", handle >= 0 && status == STW_HAL_DMA_TIMEOUT);
    check("DMA works after a time limit", many_at_once_hold() && copy_holds(0, constants, 32, ROOM));
}
#else
static void check_reach(void) {
}

static void check_time_limit(void) {
}
#endif

void check_dma(void) {
    check("DMA copies of every alignment and size", small_copies_hold());
    check("DMA copies larger than a controller takes at once", long_copies_hold());
    check("DMA tells the end once", poll_tells_the_end());
    check("DMA runs as many copies at once as it says", many_at_once_hold());
    check("DMA of overlapping rounds", overlapping_rounds_hold());
    check_reach();
    check_time_limit();
}
