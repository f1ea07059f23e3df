/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/cortex_m/fault.h"
#include "hal/cortex_m/port.h"
#include "hal/cortex_m/reset.h"
#include "stowage_hal/interrupt.h"
#include "stw_board.h"

/* Made by the board's linker script. */
extern const uint32_t __stw_stack_top[];

typedef void (*handler)(void);

/* The table that the core reads: the stack pointer at reset, then a handler for each exception and interrupt. */
struct vector_table {
    const void *stack_top;
    handler exceptions[15];
    handler interrupts[STW_BOARD_INTERRUPTS];
};

extern const struct vector_table stw_vectors;

/* Some of the interrupts below are named twice: the later entry counts. */
#pragma GCC diagnostic ignored "-Woverride-init"
#define DMA_VECTOR(number) [number] = stw_dma_interrupt,

__attribute__((section(".stw_vectors"), used)) const struct vector_table stw_vectors = {
    .stack_top = __stw_stack_top,
    .exceptions =
        {
            stw_reset,           /* reset */
            stw_fault_entry,     /* NMI */
            stw_fault_entry,     /* HardFault */
            stw_fault_entry,     /* MemManage */
            stw_fault_entry,     /* BusFault */
            stw_fault_entry,     /* UsageFault */
            stw_fault_entry,     /* SecureFault */
            stw_fault_entry,     /* reserved */
            stw_fault_entry,     /* reserved */
            stw_fault_entry,     /* reserved */
            stw_supervisor_call, /* SVCall */
            stw_fault_entry,     /* DebugMonitor */
            stw_fault_entry,     /* reserved */
            stw_fault_entry,     /* PendSV */
            stw_port_systick,    /* SysTick */
        },
    .interrupts = {[0 ... STW_BOARD_INTERRUPTS - 1] = stw_hal_interrupt,
                   STW_BOARD_DMA_INTERRUPTS(DMA_VECTOR)},
};
