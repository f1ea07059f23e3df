/* SPDX-License-Identifier: Apache-2.0 */

/* Counter of processor cycles on a device. */

#include "hal/cortex_m/port.h"
#include "hal/cortex_m/system_control.h"
#include "stw_board.h"

STW_PORT_CONSTANT static const char unit[] = "cycles";
STW_PORT_CONSTANT const uint32_t stw_port_counter_scale_q31 = 1u << 31;

STW_PORT_VARIABLE static uint32_t last_count;
STW_PORT_VARIABLE static uint64_t total;

#if STW_CORE_HAS_FAULT_STATUS

/* The DWT of Armv7-M and later counts cycles. Writing its lock register is needed on Cortex-M7 and harmless elsewhere. */
STW_PORT_CODE void stw_port_counter_start(void) {
    STW_DEMCR |= STW_DEMCR_TRCENA;
    STW_DWT_LAR = STW_DWT_LAR_KEY;
    STW_DWT_CTRL |= STW_DWT_CTRL_CYCCNTENA;
    last_count = STW_DWT_CYCCNT;
}

STW_PORT_CODE static uint32_t count(void) {
    return STW_DWT_CYCCNT;
}

#elif defined(STW_BOARD_NRF_UART_BASE)

/* The nRF51's Cortex-M0 has neither DWT nor SysTick. Its first timer counts the 16 MHz that the processor runs at. */
#define TIMER(offset) (*(volatile uint32_t *)(0x40008000u + (offset)))
#define TASKS_START TIMER(0x000u)
#define TASKS_CLEAR TIMER(0x00Cu)
#define TASKS_CAPTURE_0 TIMER(0x040u)
#define MODE TIMER(0x504u)
#define BITMODE TIMER(0x508u)
#define PRESCALER TIMER(0x510u)
#define CC_0 TIMER(0x540u)

enum { MODE_TIMER = 0, BITMODE_32 = 3 };

STW_PORT_CODE void stw_port_counter_start(void) {
    MODE = MODE_TIMER;
    BITMODE = BITMODE_32;
    PRESCALER = 0;
    TASKS_CLEAR = 1;
    TASKS_START = 1;
    last_count = 0;
}

STW_PORT_CODE static uint32_t count(void) {
    TASKS_CAPTURE_0 = 1;
    return CC_0;
}

#else
#error "this core has no cycle counter, and no timer of the chip is known"
#endif

STW_PORT_CODE uint64_t stw_port_counter_ticks(void) {
    uint32_t now = count();
    total += now - last_count;
    last_count = now;
    return total;
}

STW_PORT_CODE uint32_t stw_port_counter_intrusion(void) {
    return 0;
}

STW_PORT_CODE const char *stw_port_counter_unit(void) {
    return unit;
}

/* Nothing starts SysTick here, so an exception of it is a fault. */
STW_PORT_CODE __attribute__((naked)) void stw_port_systick(void) {
    __asm__ volatile("ldr r0, =stw_fault_entry\n\t"
                     "bx r0\n\t"
                     ".ltorg");
}
