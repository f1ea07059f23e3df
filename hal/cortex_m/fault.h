/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_CORTEX_M_FAULT_H
#define STOWAGE_HAL_CORTEX_M_FAULT_H

#include <stdint.h>

/* What the core saves when it takes an exception, by rising address. */
struct stw_exception_frame {
    uint32_t r0, r1, r2, r3, r12, lr, pc, xpsr;
};

/* Offsets are known to stw_fault_entry. */
struct stw_fault_record {
    struct stw_exception_frame frame; /* all zero where it didn't lie within the stack */
    uint32_t sp;                      /* where it lay */
    uint32_t exception_return;        /* EXC_RETURN: how it was saved */
};

extern struct stw_fault_record stw_fault_record;

/* Handler of every exception and interrupt that has no other: records the registers, reports, ends the image. */
void stw_fault_entry(void);

/* Handler of SVCall: the one above, but where an image can guard itself. */
void stw_supervisor_call(void);

/* Handler of the interrupts of the board's DMA controllers: stw_hal_interrupt, but where an image has //hal:dma. */
void stw_dma_interrupt(void);

/* Writes the report to the console and ends the image. */
__attribute__((noreturn)) void stw_fault_report(void);

#endif
