/* SPDX-License-Identifier: Apache-2.0 */
#include <stddef.h>

#include "hal/cortex_m/fault.h"
#include "hal/cortex_m/port.h"
#include "hal/cortex_m/system_control.h"
#include "stowage_hal/console.h"
#include "stowage_hal/exit.h"
#include "stowage_hal/init.h"

/* A bit of the fault status register, and what it says. */
struct cause {
    uint32_t bit;
    const char *text;
};

#if STW_CORE_HAS_FAULT_STATUS

enum { MMARVALID = 1u << 7, BFARVALID = 1u << 15, FRAME_NOT_SAVED = 1u << 4 | 1u << 12 | 1u << 20 };

static const struct cause causes[] = {
    {1u << 0, "execution not allowed"},
    {1u << 1, "data access not allowed"},
    {1u << 3, "not allowed while returning from an exception"},
    {1u << 4, "stack overflow: no room to save the registers"},
    {1u << 5, "not allowed while saving the floating-point registers"},
    {1u << 8, "no memory to execute from"},
    {1u << 9, "no memory at this address"},
    {1u << 10, "no memory, found late"},
    {1u << 11, "no memory while returning from an exception"},
    {1u << 12, "stack overflow: no memory to save the registers"},
    {1u << 13, "no memory while saving the floating-point registers"},
    {1u << 16, "undefined instruction"},
    {1u << 17, "invalid state: not Thumb code"},
    {1u << 18, "invalid return from an exception"},
    {1u << 19, "coprocessor or floating-point unit is off"},
    {1u << 20, "stack overflow"},
    {1u << 24, "unaligned access"},
    {1u << 25, "division by zero"},
};

static void print_causes(uint32_t status) {
    for (size_t i = 0; i < sizeof causes / sizeof causes[0]; i++) {
        if (status & causes[i].bit) {
            stw_hal_print_text(": ");
            stw_hal_print_text(causes[i].text);
        }
    }
}

static void print_address(uint32_t status) {
    if (status & (MMARVALID | BFARVALID)) {
        stw_hal_print_text("\n  at ");
        stw_hal_print_hex_u32(status & MMARVALID ? STW_MMFAR : STW_BFAR);
    }
}

#endif

static void print_name(uint32_t exception) {
    static const char *const names[16] = {
        [2] = "NMI",         [3] = "HardFault", [4] = "MemManage",     [5] = "BusFault", [6] = "UsageFault",
        [7] = "SecureFault", [11] = "SVCall",   [12] = "DebugMonitor", [14] = "PendSV",  [15] = "SysTick",
    };
    if (exception < 16 && names[exception]) {
        stw_hal_print_text(names[exception]);
        return;
    }
    stw_hal_print_text(exception < 16 ? "exception " : "unexpected interrupt ");
    stw_hal_print_u64(exception < 16 ? exception : exception - 16);
}

static void print_register(const char *name, uint32_t value) {
    stw_hal_print_text(name);
    stw_hal_print_hex_u32(value);
}

static void print_frame(const struct stw_exception_frame *frame, uint32_t sp) {
    print_register("\n  pc ", frame->pc);
    print_register(" lr ", frame->lr);
    print_register(" sp ", sp);
    print_register(" xpsr ", frame->xpsr);
    print_register("\n  r0 ", frame->r0);
    print_register(" r1 ", frame->r1);
    print_register(" r2 ", frame->r2);
    print_register(" r3 ", frame->r3);
    print_register(" r12 ", frame->r12);
}

/* Where sp was before the core saved registers below it: the frame, eighteen more words where the floating-point unit
 * was in use (EXC_RETURN.FType is 0), and one where the stack had to be aligned (bit 9 of the saved xPSR). */
static uint32_t interrupted_sp(const struct stw_fault_record *record) {
    uint32_t floating_point_bytes = record->exception_return & 1u << 4 ? 0u : 18u * 4u;
    uint32_t alignment_bytes = record->frame.xpsr & 1u << 9 ? 4u : 0u;
    return record->sp + sizeof record->frame + floating_point_bytes + alignment_bytes;
}

static void print_registers(const struct stw_fault_record *record, int frame_saved) {
    if (frame_saved && record->frame.xpsr) {
        print_frame(&record->frame, interrupted_sp(record));
    } else {
        print_register("\n  sp ", record->sp);
    }
}

static uint32_t active_exception(void) {
    uint32_t ipsr;
    __asm__ volatile("mrs %0, ipsr" : "=r"(ipsr));
    return ipsr & 0x1FFu;
}

static void report(void) {
    stw_hal_init();
    stw_hal_print_text("\nstowage: fault: ");
    print_name(active_exception());
#if STW_CORE_HAS_FAULT_STATUS
    uint32_t status = STW_CFSR;
    print_causes(status);
    print_address(status);
    print_registers(&stw_fault_record, !(status & FRAME_NOT_SAVED));
    print_register("\n  cfsr ", status);
    print_register(" hfsr ", STW_HFSR);
    print_register(" mmfar ", STW_MMFAR);
    print_register(" bfar ", STW_BFAR);
#else
    print_registers(&stw_fault_record, 1);
#endif
    stw_hal_print_text("\n");
}

void stw_fault_report(void) {
    static int reporting;
    /* A fault while reporting a fault: at least end. */
    if (!reporting) {
        reporting = 1;
        report();
    }
    stw_port_exit(STW_HAL_STATUS_FAULT);
}
