/* SPDX-License-Identifier: Apache-2.0 */

/* The PL081 as its Technical Reference Manual describes it (ARM DDI 0218), for copies from memory to memory. */

#include "hal/dma/pl081_model.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "hal/cortex_m/cache.h"
#include "hal/cortex_m/fault.h"
#include "hal/dma/cache_model.h"

enum { CHANNELS = 2, LOG_BYTES = 4096 };

struct channel {
    uint32_t source, destination, next_item, control, configuration;
};

struct controller {
    struct channel channels[CHANNELS];
    uint32_t ended, failed, configuration;
};

static struct controller controllers[MODEL_CONTROLLERS];
static uint32_t enabled_interrupts, random_state, broken, violations;
static int32_t held, in_handler;
static void *memory;
static char events[LOG_BYTES];

static uint32_t next_random(uint32_t limit) {
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 16) % limit;
}

static void expect(int holds) {
    violations += !holds;
}

static void note(char kind, uint32_t address, uint32_t size_bytes) {
    const size_t length = strlen(events);
    snprintf(events + length, LOG_BYTES - length, "%c%x+%x ", kind, address, size_bytes);
}

static int is_broken(uint32_t address, uint32_t width) {
    return broken >= address && broken - address < width;
}

/* Moves a unit. The width is the same on both sides, and addresses are multiples of it: DDI 0218, 3.4.4. */
static void move_unit(struct controller *controller, uint32_t number) {
    struct channel *channel = &controller->channels[number];
    const uint32_t width = 1u << (channel->control >> 18 & 7u);

    expect(width <= 4u && (channel->control >> 21 & 7u) == (channel->control >> 18 & 7u));
    expect(channel->source % width == 0u && channel->destination % width == 0u);
    if (is_broken(channel->source, width) || is_broken(channel->destination, width)) {
        controller->failed |= 1u << number;
        channel->configuration &= ~1u;
        return;
    }
    memcpy(model_device_view(channel->destination), model_device_view(channel->source), width);
    channel->source += (channel->control >> 26 & 1u) * width;
    channel->destination += (channel->control >> 27 & 1u) * width;
    channel->control--;
    if ((channel->control & 0xFFFu) == 0u) {
        expect(channel->next_item == 0u);
        controller->ended |= channel->control >> 31 << number;
        channel->configuration &= ~1u;
    }
}

static int interrupts(const struct controller *controller) {
    int line = 0;
    for (uint32_t number = 0; number < CHANNELS; number++) {
        line |= (controller->ended >> number & controller->channels[number].configuration >> 15 & 1u) != 0u;
        line |= (controller->failed >> number & controller->channels[number].configuration >> 14 & 1u) != 0u;
    }
    return line;
}

static void move_some(void) {
    struct controller *controller = &controllers[next_random(MODEL_CONTROLLERS)];
    const uint32_t number = next_random(CHANNELS);
    for (uint32_t units = next_random(900); units > 0u; units--) {
        if ((controller->channels[number].configuration & 1u) != 0u &&
            (controller->configuration & 1u) != 0u) {
            move_unit(controller, number);
        }
    }
}

static void pass_time(void) {
    if (in_handler) {
        return;
    }
    model_cache_evict(next_random(MODEL_MEMORY_BYTES / 32u));
    if (!held) {
        move_some();
    }
    for (uint32_t i = 0; i < MODEL_CONTROLLERS; i++) {
        if (interrupts(&controllers[i]) && (enabled_interrupts >> MODEL_INTERRUPT(i) & 1u) != 0u) {
            in_handler = 1;
            stw_dma_interrupt();
            in_handler = 0;
            expect(!interrupts(&controllers[i]));
        }
    }
}

static struct controller *controller_at(uint32_t address) {
    const uint32_t index = (address - MODEL_CONTROLLER(0)) / 0x1000u;
    expect(index < MODEL_CONTROLLERS);
    return &controllers[index < MODEL_CONTROLLERS ? index : 0];
}

static void write_channel(struct controller *controller, uint32_t number, uint32_t offset, uint32_t value) {
    struct channel *channel = &controller->channels[number];

    expect(offset == 0x10u || (channel->configuration & 1u) == 0u);
    switch (offset) {
    case 0x00u:
        channel->source = value;
        break;
    case 0x04u:
        channel->destination = value;
        break;
    case 0x08u:
        channel->next_item = value;
        break;
    case 0x0Cu:
        channel->control = value;
        break;
    default:
        channel->configuration = value;
        if ((value & 1u) != 0u) {
            expect((value >> 11 & 7u) == 0u && (controller->configuration & 1u) != 0u);
            expect((channel->control & 0xFFFu) != 0u && (controller->ended >> number & 1u) == 0u);
            note('m', channel->destination, channel->control & 0xFFFu);
        }
    }
}

static void write_controller(struct controller *controller, uint32_t offset, uint32_t value) {
    if (offset == 0x08u) {
        controller->ended &= ~value;
    } else if (offset == 0x10u) {
        controller->failed &= ~value;
    } else if (offset == 0x30u) {
        controller->configuration = value;
    } else {
        expect(0);
    }
}

uint32_t stw_bus_read(uint32_t address) {
    struct controller *controller = controller_at(address);
    const uint32_t offset = address % 0x1000u;

    pass_time();
    expect(offset == 0x04u || offset == 0x0Cu);
    return offset == 0x04u ? controller->ended : controller->failed;
}

void stw_bus_write(uint32_t address, uint32_t value) {
    struct controller *controller = controller_at(address);
    const uint32_t offset = address % 0x1000u;

    if (offset >= 0x100u) {
        write_channel(controller, (offset - 0x100u) / 0x20u % CHANNELS, offset % 0x20u, value);
    } else {
        write_controller(controller, offset, value);
    }
    pass_time();
}

void stw_bus_barrier(void) {
    pass_time();
}

void stw_bus_pause(void) {
    pass_time();
}

void stw_bus_enable_interrupt(uint32_t number) {
    enabled_interrupts |= 1u << number;
}

void stw_cache_clean(const void *start, uint32_t size_bytes) {
    note('c', (uint32_t)(uintptr_t)start, size_bytes);
    model_cache_maintain((uint32_t)(uintptr_t)start, size_bytes, MODEL_CACHE_CLEAN);
}

void stw_cache_clean_and_drop(void *start, uint32_t size_bytes) {
    note('x', (uint32_t)(uintptr_t)start, size_bytes);
    model_cache_maintain((uint32_t)(uintptr_t)start, size_bytes, MODEL_CACHE_CLEAN | MODEL_CACHE_DROP);
}

void stw_cache_drop(void *start, uint32_t size_bytes) {
    note('d', (uint32_t)(uintptr_t)start, size_bytes);
    model_cache_maintain((uint32_t)(uintptr_t)start, size_bytes, MODEL_CACHE_DROP);
}

uint8_t *model_start(uint32_t seed) {
    void *wanted = (void *)(uintptr_t)MODEL_MEMORY_BASE;

    random_state = seed;
    broken = violations = 0;
    held = 0;
    memset(events, 0, sizeof events);
    if (!memory) {
        memory = mmap(wanted, MODEL_MEMORY_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    }
    if (memory != wanted) {
        return NULL;
    }
    model_cache_start(memory, MODEL_MEMORY_BASE);
    return memory;
}

void model_end(void) {
    munmap(memory, MODEL_MEMORY_BYTES);
    memory = NULL;
}

void model_break(uint32_t address) {
    broken = address;
}

void model_hold(int32_t is_held) {
    held = is_held;
}

uint32_t model_violations(void) {
    return violations;
}

const char *model_log(void) {
    return events;
}
