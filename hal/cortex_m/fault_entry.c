/* SPDX-License-Identifier: Apache-2.0 */
#include "hal/cortex_m/fault.h"
#include "stowage_hal/interrupt.h"

struct stw_fault_record stw_fault_record;

/* The stack may be what went wrong, so nothing is pushed before the stack pointer is back at its top; the image
 * doesn't go on, so what lies there isn't needed. Only instructions that Armv6-M has. */
__attribute__((naked)) void stw_fault_entry(void) {
    __asm__ volatile(".syntax unified\n\t"
                     "mov r1, lr\n\t"
                     "movs r2, #4\n\t" /* EXC_RETURN.SPSEL: which stack pointer was in use */
                     "tst r1, r2\n\t"
                     "bne 1f\n\t"
                     "mrs r0, msp\n\t"
                     "b 2f\n"
                     "1:\n\t"
                     "mrs r0, psp\n"
                     "2:\n\t"
                     "ldr r3, =stw_fault_record\n\t"
                     "str r0, [r3, #32]\n\t"
                     "str r1, [r3, #36]\n\t"
                     "ldr r1, =__stw_stack_top\n\t"
                     "ldr r2, =__stw_stack_limit\n\t"
                     "cmp r0, r2\n\t"
                     "blo 3f\n\t"
                     "mov r2, r1\n\t"
                     "subs r2, #32\n\t"
                     "cmp r0, r2\n\t"
                     "bhi 3f\n\t"
                     "ldmia r0!, {r4-r7}\n\t"
                     "stmia r3!, {r4-r7}\n\t"
                     "ldmia r0!, {r4-r7}\n\t"
                     "stmia r3!, {r4-r7}\n"
                     "3:\n\t"
                     "mov sp, r1\n\t"
                     "ldr r0, =stw_fault_report\n\t"
                     "bx r0\n\t"
                     ".ltorg");
}

/* Images that never guard themselves make no supervisor calls. */
void stw_supervisor_call(void) __attribute__((weak, alias("stw_fault_entry")));

/* Images that have no driver of DMA may drive the controllers themselves. */
__attribute__((weak, naked)) void stw_dma_interrupt(void) {
    __asm__ volatile("ldr r0, =stw_hal_interrupt\n\t"
                     "bx r0\n\t"
                     ".ltorg");
}

/* What an image gets that defines no handler of its own. */
__attribute__((weak, naked)) void stw_hal_interrupt(void) {
    __asm__ volatile("ldr r0, =stw_fault_entry\n\t"
                     "bx r0\n\t"
                     ".ltorg");
}
