/* SPDX-License-Identifier: Apache-2.0 */
#include "stowage_hal/guard.h"

#include "hal/cortex_m/fault.h"
#include "hal/cortex_m/mpu.h"
#include "hal/cortex_m/mpu_cover.h"
#include "hal/cortex_m/system_control.h"
#include "stw_board_mpu.h"

enum { LARGEST_TABLE = 16, REGIONS_OF_A_SPAN = 4 };

/* Made by the board's linker script. */
extern const unsigned char __stw_stack_limit[], __stw_stack_top[];

struct table {
    struct stw_mpu_region regions[LARGEST_TABLE];
    uint32_t count;
    uint32_t room;
};

/* Whether a region of the board's own table keeps writing out. */
static int is_read_only(const struct stw_mpu_region *region) {
#ifdef STW_BOARD_MPU_MAIR0
    return (region->rbar >> 1 & 3u) == 3u;
#else
    return (region->attributes >> 24 & 7u) != 3u;
#endif
}

static void keep_read_only(struct table *table) {
    for (uint32_t i = 0; i < STW_BOARD_MPU_REGIONS; i++) {
        if (is_read_only(&stw_board_mpu_regions[i])) {
            table->regions[table->count++] = stw_board_mpu_regions[i];
        }
    }
}

#ifdef STW_BOARD_MPU_MAIR0
/* Armv8-M: any multiple of 32 bytes; read and write for all, execute never, attributes 1 of MAIR0: write-back. */
static uint32_t cover(uint32_t start, uint32_t end, struct stw_mpu_region *regions, uint32_t room) {
    if (room == 0u) {
        return 0;
    }
    regions[0].rbar = (start & ~31u) | 3u;
    regions[0].attributes = ((end - 1u) & ~31u) | 1u << 1 | 1u;
    return 1;
}
#else
#define cover stw_mpu_cover
#endif

static int open(struct table *table, const void *start, uint32_t size_bytes) {
    const uint32_t left = table->room - table->count;
    const uint32_t room = left < REGIONS_OF_A_SPAN ? left : REGIONS_OF_A_SPAN;
    const uint32_t added =
        cover((uint32_t)start, (uint32_t)start + size_bytes, &table->regions[table->count], room);

    table->count += added;
    return added != 0u;
}

/* All regions that are not in the table are closed; without a region, privileged code sees memory as after reset. */
static void load(const struct table *table) {
    STW_MPU_CTRL = 0;
    for (uint32_t i = 0; i < table->room; i++) {
        STW_MPU_RNR = i;
        STW_MPU_RASR_RLAR = 0;
        if (i < table->count) {
            STW_MPU_RBAR = table->regions[i].rbar;
            STW_MPU_RASR_RLAR = table->regions[i].attributes;
        }
    }
    STW_MPU_CTRL = STW_MPU_CTRL_ENABLE | STW_MPU_CTRL_PRIVDEFENA;
    stw_barrier();
}

static void drop_privileges(void) {
    __asm__ volatile("mrs r3, control\n\t"
                     "orr r3, r3, #1\n\t" /* nPRIV */
                     "msr control, r3\n\t"
                     "isb" ::
                         : "r3", "memory");
}

/* The way back to privileges. The core restores r3 itself. */
__attribute__((naked)) void stw_supervisor_call(void) {
    __asm__ volatile("mrs r3, control\n\t"
                     "bic r3, r3, #1\n\t"
                     "msr control, r3\n\t"
                     "bx lr");
}

static struct table empty_table(void) {
    struct table table = {.room = STW_MPU_TYPE >> 8 & 0xFFu};

    table.room = table.room < LARGEST_TABLE ? table.room : LARGEST_TABLE;
    return table;
}

int stw_hal_guard_enter(const struct stw_hal_span *spans, uint32_t count) {
    struct table table = empty_table();

    keep_read_only(&table);
    int opened = open(&table, __stw_stack_limit, (uint32_t)(__stw_stack_top - __stw_stack_limit));
    for (uint32_t i = 0; i < count; i++) {
        opened = opened && open(&table, spans[i].start, spans[i].size_bytes);
    }
    if (!opened) {
        return -1;
    }
    load(&table);
    drop_privileges();
    return 0;
}

void stw_hal_guard_leave(void) {
    __asm__ volatile("svc #0" ::: "memory");
    const struct table table = empty_table();
    load(&table);
    stw_mpu_enable();
}
