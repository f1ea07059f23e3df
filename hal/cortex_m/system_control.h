/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_SYSTEM_CONTROL_H
#define STOWAGE_HAL_SYSTEM_CONTROL_H

#include <stdint.h>

/* The core's own registers, as far as the HAL uses them: names and bits are those of the Armv6-M, Armv7-M and Armv8-M
 * Architecture Reference Manuals. */

#define STW_REGISTER(address) (*(volatile uint32_t *)(address))

/* Armv6-M (Cortex-M0) has no configurable faults, no fault status and no coprocessors. */
#if defined(__ARM_ARCH_6M__)
#define STW_CORE_HAS_FAULT_STATUS 0
#else
#define STW_CORE_HAS_FAULT_STATUS 1
#endif

/* Armv8-M Mainline checks the stack pointer against a limit. */
#if defined(__ARM_ARCH_8M_MAIN__) || defined(__ARM_ARCH_8_1M_MAIN__)
#define STW_CORE_HAS_STACK_LIMIT 1
#else
#define STW_CORE_HAS_STACK_LIMIT 0
#endif

#define STW_SYST_CSR STW_REGISTER(0xE000E010u)
#define STW_SYST_CSR_ENABLE (1u << 0)
#define STW_SYST_CSR_TICKINT (1u << 1)
#define STW_SYST_CSR_CLKSOURCE_CORE (1u << 2)
#define STW_SYST_RVR STW_REGISTER(0xE000E014u)
#define STW_SYST_CVR STW_REGISTER(0xE000E018u)

#define STW_ICSR STW_REGISTER(0xE000ED04u)
#define STW_ICSR_PENDSTSET (1u << 26)
#define STW_VTOR STW_REGISTER(0xE000ED08u)
#define STW_CCR STW_REGISTER(0xE000ED14u)
#define STW_CCR_DIV_0_TRP (1u << 4)
#define STW_CCR_DC (1u << 16)
#define STW_CCR_IC (1u << 17)
#define STW_CCR_LOB (1u << 19)
#define STW_SHCSR STW_REGISTER(0xE000ED24u)
#define STW_SHCSR_MEMFAULTENA (1u << 16)
#define STW_SHCSR_BUSFAULTENA (1u << 17)
#define STW_SHCSR_USGFAULTENA (1u << 18)
#define STW_CFSR STW_REGISTER(0xE000ED28u)
#define STW_HFSR STW_REGISTER(0xE000ED2Cu)
#define STW_MMFAR STW_REGISTER(0xE000ED34u)
#define STW_BFAR STW_REGISTER(0xE000ED38u)
#define STW_CLIDR STW_REGISTER(0xE000ED78u)
#define STW_CCSIDR STW_REGISTER(0xE000ED80u)
#define STW_CSSELR STW_REGISTER(0xE000ED84u)
#define STW_CPACR STW_REGISTER(0xE000ED88u)
#define STW_CPACR_CP10_CP11_FULL (0xFu << 20)

#define STW_MPU_TYPE STW_REGISTER(0xE000ED90u)
#define STW_MPU_CTRL STW_REGISTER(0xE000ED94u)
#define STW_MPU_CTRL_ENABLE (1u << 0)
#define STW_MPU_CTRL_PRIVDEFENA (1u << 2)
#define STW_MPU_RNR STW_REGISTER(0xE000ED98u)
#define STW_MPU_RBAR STW_REGISTER(0xE000ED9Cu)
#define STW_MPU_RASR_RLAR STW_REGISTER(0xE000EDA0u) /* RASR in PMSAv7, RLAR in PMSAv8 */
#define STW_MPU_MAIR0 STW_REGISTER(0xE000EDC0u)

#define STW_DEMCR STW_REGISTER(0xE000EDFCu)
#define STW_DEMCR_TRCENA (1u << 24)
#define STW_DWT_CTRL STW_REGISTER(0xE0001000u)
#define STW_DWT_CTRL_CYCCNTENA (1u << 0)
#define STW_DWT_CYCCNT STW_REGISTER(0xE0001004u)
#define STW_DWT_LAR STW_REGISTER(0xE0001FB0u)
#define STW_DWT_LAR_KEY 0xC5ACCE55u

#define STW_ICIALLU STW_REGISTER(0xE000EF50u)
#define STW_DCIMVAC STW_REGISTER(0xE000EF5Cu)
#define STW_DCISW STW_REGISTER(0xE000EF60u)
#define STW_DCCMVAC STW_REGISTER(0xE000EF68u)
#define STW_DCCIMVAC STW_REGISTER(0xE000EF70u)

/* Waits until all memory accesses and register writes so far have taken effect, and refetches what follows. */
static inline void stw_barrier(void) {
    __asm__ volatile("dsb\n\tisb" ::: "memory");
}

#endif
