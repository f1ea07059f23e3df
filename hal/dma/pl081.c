/* SPDX-License-Identifier: Apache-2.0 */

/* DMA by Arm's PL080 and PL081. A controller moves at most 4,095 units at a time, so a copy goes in pieces; the interrupt
 * at the end of one starts the next. */

#include "hal/dma/pl081.h"
#include "hal/cortex_m/cache.h"
#include "hal/cortex_m/fault.h"
#include "hal/dma/bus.h"
#include "stowage_hal/dma.h"
#include "stw_board.h"

#if STW_BOARD_DMA_CHANNELS > 0

enum { CHANNELS = STW_BOARD_DMA_CHANNELS, POLLS_PER_BYTE = 64, POLLS_AT_LEAST = 100000 };

/* A channel of a controller: where its controller is, which of its channels it is, how that interrupts. */
struct line {
    uint32_t controller;
    uint32_t number;
    uint32_t interrupt;
};

#define LINE(controller, number, interrupt) {controller, number, interrupt},
static const struct line lines[CHANNELS] = {STW_BOARD_DMA_LINES(LINE)};

/* A copy that has been started and not been waited for. */
struct copy {
    uint32_t to;
    uint32_t from;
    uint32_t left_bytes;  /* after the piece that runs */
    uint32_t piece_bytes; /* of the piece that runs */
    uint32_t unit_log2;
    void *destination; /* of the whole copy */
    uint32_t size_bytes;
};

static struct copy copies[CHANNELS];

/* Whether a channel is taken by a copy; and what became of that. The latter is the interrupt's to write while it is
 * STW_HAL_DMA_RUNNING, the thread's else. */
static uint8_t is_taken[CHANNELS];
static volatile uint8_t states[CHANNELS];

static uint32_t channel_register(const struct line *line, uint32_t offset) {
    return line->controller + STW_PL081_CHANNEL(line->number) + offset;
}

static void run_piece(uint32_t channel) {
    const struct line *line = &lines[channel];
    struct copy *copy = &copies[channel];
    const uint32_t left_units = copy->left_bytes >> copy->unit_log2;
    const uint32_t units = left_units < STW_PL081_MOST_UNITS ? left_units : STW_PL081_MOST_UNITS;

    copy->piece_bytes = units << copy->unit_log2;
    copy->left_bytes -= copy->piece_bytes;
    stw_bus_write(channel_register(line, STW_PL081_SOURCE), copy->from);
    stw_bus_write(channel_register(line, STW_PL081_DESTINATION), copy->to);
    stw_bus_write(channel_register(line, STW_PL081_NEXT_ITEM), 0);
    stw_bus_write(channel_register(line, STW_PL081_CONTROL),
                  units | STW_PL081_BURST_OF_4 | STW_PL081_WIDTHS(copy->unit_log2) | STW_PL081_INCREMENTS |
                      STW_PL081_INTERRUPT_AT_END);
    stw_bus_write(channel_register(line, STW_PL081_CHANNEL_CONFIGURATION),
                  STW_PL081_CHANNEL_ENABLE | STW_PL081_TELL_ERROR | STW_PL081_TELL_END);
    /* Changes nothing on silicon. QEMU's model drives its interrupt lines when one of the controller's own registers is
     * written, and does not when a channel's is. */
    stw_bus_write(line->controller + STW_PL081_CONFIGURATION, STW_PL081_CONFIGURATION_ENABLE);
}

static void end_piece(uint32_t channel) {
    struct copy *copy = &copies[channel];

    copy->to += copy->piece_bytes;
    copy->from += copy->piece_bytes;
    if (copy->left_bytes == 0u) {
        states[channel] = STW_HAL_DMA_DONE;
    } else {
        run_piece(channel);
    }
}

void stw_dma_interrupt(void) {
    for (uint32_t channel = 0; channel < CHANNELS; channel++) {
        const uint32_t controller = lines[channel].controller;
        const uint32_t bit = 1u << lines[channel].number;

        if ((stw_bus_read(controller + STW_PL081_INT_ERROR_STATUS) & bit) != 0u) {
            stw_bus_write(controller + STW_PL081_INT_ERROR_CLEAR, bit);
            stw_bus_write(controller + STW_PL081_INT_TC_CLEAR, bit);
            states[channel] = STW_HAL_DMA_ERROR;
        } else if ((stw_bus_read(controller + STW_PL081_INT_TC_STATUS) & bit) != 0u) {
            stw_bus_write(controller + STW_PL081_INT_TC_CLEAR, bit);
            end_piece(channel);
        }
    }
}

static int is_reached(uint32_t address, uint32_t size_bytes) {
#define REACHES(name, base, bytes)                                                                           \
    if (address - (base) < (bytes) && size_bytes <= (bytes) - (address - (base))) {                          \
        return 1;                                                                                            \
    }
    STW_BOARD_DMA_REGIONS(REACHES)
    return size_bytes == 0u;
}

static enum stw_hal_dma_status judge(uint32_t to, uint32_t from, uint32_t size_bytes) {
    if (!is_reached(to, size_bytes) || !is_reached(from, size_bytes)) {
        return STW_HAL_DMA_UNREACHABLE;
    }
    return (to | size_bytes) % STW_CACHE_LINE_BYTES != 0u ? STW_HAL_DMA_MISALIGNED : STW_HAL_DMA_DONE;
}

static uint32_t widest_unit_log2(uint32_t addresses_and_size) {
    return addresses_and_size % 4u == 0u ? 2u : addresses_and_size % 2u == 0u ? 1u : 0u;
}

static void start(uint32_t channel, void *to, const void *from, uint32_t size_bytes) {
    const uint32_t to_address = (uint32_t)(uintptr_t)to, from_address = (uint32_t)(uintptr_t)from;

    copies[channel] = (struct copy){
        .to = to_address,
        .from = from_address,
        .left_bytes = size_bytes,
        .unit_log2 = widest_unit_log2(to_address | from_address | size_bytes),
        .destination = to,
        .size_bytes = size_bytes,
    };
    is_taken[channel] = 1;
    stw_cache_clean(from, size_bytes);
    stw_cache_clean_and_drop(to, size_bytes);
    stw_bus_barrier();
    if (size_bytes == 0u) {
        states[channel] = STW_HAL_DMA_DONE;
        return;
    }
    states[channel] = STW_HAL_DMA_RUNNING;
    stw_bus_write(lines[channel].controller + STW_PL081_CONFIGURATION, STW_PL081_CONFIGURATION_ENABLE);
    stw_bus_enable_interrupt(lines[channel].interrupt);
    run_piece(channel);
}

int32_t stw_hal_dma_start(void *to, const void *from, uint32_t size_bytes) {
    const enum stw_hal_dma_status verdict =
        judge((uint32_t)(uintptr_t)to, (uint32_t)(uintptr_t)from, size_bytes);

    if (verdict != STW_HAL_DMA_DONE) {
        return -(int32_t)verdict;
    }
    for (uint32_t channel = 0; channel < CHANNELS; channel++) {
        if (!is_taken[channel]) {
            start(channel, to, from, size_bytes);
            return (int32_t)channel;
        }
    }
    return -STW_HAL_DMA_BUSY;
}

enum stw_hal_dma_status stw_hal_dma_poll(int32_t handle) {
    if (handle < 0) {
        return (enum stw_hal_dma_status) - handle;
    }
    return handle < CHANNELS && is_taken[handle] ? (enum stw_hal_dma_status)states[handle]
                                                 : STW_HAL_DMA_UNKNOWN;
}

static void stop(uint32_t channel) {
    const struct line *line = &lines[channel];

    stw_bus_write(channel_register(line, STW_PL081_CHANNEL_CONFIGURATION), 0);
    stw_bus_write(line->controller + STW_PL081_INT_TC_CLEAR, 1u << line->number);
    stw_bus_write(line->controller + STW_PL081_INT_ERROR_CLEAR, 1u << line->number);
}

enum stw_hal_dma_status stw_hal_dma_wait(int32_t handle) {
    enum stw_hal_dma_status status = stw_hal_dma_poll(handle);

    if (handle < 0 || status == STW_HAL_DMA_UNKNOWN) {
        return status;
    }
    const uint64_t polls = POLLS_AT_LEAST + (uint64_t)copies[handle].size_bytes * POLLS_PER_BYTE;
    for (uint64_t poll = 0; status == STW_HAL_DMA_RUNNING && poll < polls; poll++) {
        stw_bus_pause();
        status = stw_hal_dma_poll(handle);
    }
    if (status == STW_HAL_DMA_RUNNING) {
        stop((uint32_t)handle);
        status = STW_HAL_DMA_TIMEOUT;
    }
    /* Lines that the core has read ahead of the copy. */
    stw_cache_drop(copies[handle].destination, copies[handle].size_bytes);
    stw_bus_barrier();
    is_taken[handle] = 0;
    return status;
}

uint32_t stw_hal_dma_channels(void) {
    return CHANNELS;
}

#endif
