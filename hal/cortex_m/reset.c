/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/cortex_m/reset.h"

#include <stddef.h>

#include "hal/cortex_m/cache.h"
#include "hal/cortex_m/mpu.h"
#include "hal/cortex_m/system_control.h"
#include "stowage_hal/exit.h"
#include "stowage_hal/memory.h"
#include "stowage_hal/stack.h"

int main(void);

/* Made by the board's linker script. */
extern const unsigned char __stw_data_load[];
extern unsigned char __stw_data_start[], __stw_data_end[];
extern unsigned char __stw_bss_start[], __stw_bss_end[];
extern unsigned char __stw_port_bss_start[], __stw_port_bss_end[];
extern unsigned char __stw_stack_limit[];

static size_t size_bytes(const unsigned char *start, const unsigned char *end) {
    return (size_t)(end - start);
}

static void bring_up_memory(void) {
    memcpy(__stw_data_start, __stw_data_load, size_bytes(__stw_data_start, __stw_data_end));
    memset(__stw_bss_start, 0, size_bytes(__stw_bss_start, __stw_bss_end));
    memset(__stw_port_bss_start, 0, size_bytes(__stw_port_bss_start, __stw_port_bss_end));
}

static inline void enable_coprocessors(void) {
#if defined(__ARM_FP) || (defined(__ARM_FEATURE_MVE) && __ARM_FEATURE_MVE)
    STW_CPACR |= STW_CPACR_CP10_CP11_FULL;
    stw_barrier();
#endif
}

static inline void limit_stack(void) {
#if STW_CORE_HAS_STACK_LIMIT
    __asm__ volatile("msr msplim, %0" ::"r"(__stw_stack_limit));
#endif
}

static void enable_faults(void) {
#if STW_CORE_HAS_FAULT_STATUS
    STW_SHCSR |= STW_SHCSR_MEMFAULTENA | STW_SHCSR_BUSFAULTENA | STW_SHCSR_USGFAULTENA;
    STW_CCR |= STW_CCR_DIV_0_TRP;
    stw_barrier();
#endif
}

/* Apart from stw_reset, since the compiler may use vector registers anywhere in here. */
__attribute__((noinline, noreturn)) static void start(void) {
    bring_up_memory();
    stw_hal_stack_paint();
    enable_faults();
    stw_mpu_enable();
    stw_cache_enable();
    stw_hal_exit(main());
}

void stw_reset(void) {
    limit_stack();
    enable_coprocessors();
    start();
}
