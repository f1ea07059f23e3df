/* SPDX-License-Identifier: Apache-2.0 */

/* The smallest image that says something: what the toolchain's and the emulator's tests look at. */

#include <stdint.h>

extern const uint32_t stack_top[];

void reset(void);
void unused_function(void);

__attribute__((section(".vectors"), used)) const void *const vectors[] = {stack_top, (const void *)reset};

static const char greeting[] = "hello from " PROBE_CORE "\n";

/* A value that the compiler can't see through, for code that has to be there. */
volatile float left = 3.0f;
volatile float right = 4.0f;
volatile float product;
volatile uint32_t dividend = 100u;
volatile uint32_t quotient;

static void semihosting(uint32_t operation, const void *argument) {
    register uint32_t r0 __asm__("r0") = operation;
    register const void *r1 __asm__("r1") = argument;
    __asm__ volatile("bkpt 0xab" : "+r"(r0) : "r"(r1) : "memory");
}

static void enable_floating_point(void) {
#ifdef __ARM_FP
    volatile uint32_t *const coprocessor_access = (volatile uint32_t *)0xe000ed88u;
    *coprocessor_access |= 0xfu << 20;
    __asm__ volatile("dsb\nisb" ::: "memory");
#endif
}

void unused_function(void) {
    quotient = 0u;
}

void reset(void) {
    static const uint32_t exit_successfully[] = {0x20026u, 0u};
    enable_floating_point();
    product = left * right + 1.0f;
    quotient = dividend / (uint32_t)product;
    semihosting(0x04u, greeting);
    semihosting(0x20u, exit_successfully);
    for (;;) {
    }
}
