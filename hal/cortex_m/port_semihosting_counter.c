/* SPDX-License-Identifier: Apache-2.0 */

/* Counter of executed instructions in the emulated image. With -icount every instruction takes the same virtual time, more
 * than two ticks of SysTick (the board file is held to that), so ticks give instructions exactly. */

#include "hal/cortex_m/port.h"
#include "hal/cortex_m/system_control.h"
#include "stw_board.h"

enum { LAST_TICK = 0xFFFFFF, HANDLER_INSTRUCTIONS = 5 };

STW_PORT_CONSTANT static const char unit[] = "instructions";
STW_PORT_CONSTANT const uint32_t stw_port_counter_scale_q31 = STW_BOARD_COUNTER_SCALE_Q31;

/* Times that the 24-bit counter has run down. */
STW_PORT_VARIABLE static volatile uint32_t wraps __asm__("stw_port_counter_wraps");

STW_PORT_CODE void stw_port_counter_start(void) {
    STW_SYST_CSR = 0;
    STW_SYST_RVR = LAST_TICK;
    STW_SYST_CVR = 0;
    wraps = 0;
    STW_SYST_CSR = STW_SYST_CSR_ENABLE | STW_SYST_CSR_TICKINT | STW_SYST_CSR_CLKSOURCE_CORE;
    while (STW_SYST_CVR == 0) {
    }
}

/* Each instruction is known, so that stw_port_counter_intrusion is exact. */
STW_PORT_CODE __attribute__((naked)) void stw_port_systick(void) {
    __asm__ volatile(".syntax unified\n\t"
                     "ldr r0, =stw_port_counter_wraps\n\t"
                     "ldr r1, [r0]\n\t"
                     "adds r1, #1\n\t"
                     "str r1, [r0]\n\t"
                     "bx lr\n\t"
                     ".ltorg");
}

/* Asks again where the counter ran down between the two reads; a wrap that is pending since interrupts are masked counts. */
STW_PORT_CODE uint64_t stw_port_counter_ticks(void) {
    uint32_t before, value, pending;
    do {
        before = wraps;
        value = STW_SYST_CVR;
        pending = STW_ICSR & STW_ICSR_PENDSTSET;
        if (pending) {
            value = STW_SYST_CVR;
        }
    } while (wraps != before);
    return ((uint64_t)(before + (pending != 0)) << 24) + (LAST_TICK - value);
}

STW_PORT_CODE uint32_t stw_port_counter_intrusion(void) {
    return wraps * HANDLER_INSTRUCTIONS;
}

STW_PORT_CODE const char *stw_port_counter_unit(void) {
    return unit;
}
