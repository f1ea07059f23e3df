/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The second core's side: its firmware, which is the NPU's model, asleep between doorbells.
 *
 * All that it writes beside what windows say lies in the region that the board file gives the NPU: registers from STW_NPU_BASE
 * on, its stack behind them, then its banks.
 */
#include "hal/npu/model/machine.h"
#include "hal/npu/second_core/message_unit.h"
#include "stw_board.h"

#define STACK_TOP (STW_NPU_BASE + 0x10000u)
#define BANKS (STW_NPU_BASE + 0x10000u)
#define EXCEPTIONS 15

#define CPACR STW_MESSAGE_REGISTER(0xE000ED88u)
#define CPACR_CP10_CP11_FULL (0xFu << 20)

static const struct stw_npu_machine machine = STW_NPU_MACHINE((uint8_t *)BANKS);

/* A function of its own, since the compiler may use floating-point registers anywhere in here. */
__attribute__((noinline, noreturn)) static void serve(void) {
    struct stw_npu_registers *registers = (struct stw_npu_registers *)STW_NPU_BASE;

    stw_npu_model_reset(&machine, registers);
    STW_NVIC_ISER0 = STW_MHU_LINE;
    stw_message_send(0u);
    for (;;) {
        if (STW_MHU_FLAGS(1u) == 0u) {
            __asm__ volatile("dsb\n\twfi" ::: "memory");
        }
        if (stw_message_take(1u)) {
            stw_npu_model_poll(&machine, registers);
            if (registers->interrupt != 0u) {
                stw_message_send(0u);
            }
        }
    }
}

static void reset(void) {
    __asm__ volatile("cpsid i" ::: "memory");
    CPACR |= CPACR_CP10_CP11_FULL;
    __asm__ volatile("dsb\n\tisb" ::: "memory");
    serve();
}

/* A fault of the model's: the first core waits in vain, and reports it as lost. */
static void stop(void) {
    for (;;) {
        __asm__ volatile("wfi");
    }
}

typedef void (*handler)(void);

/* What a core reads when it is let go. */
struct core_vectors {
    uint32_t stack_top;
    handler exceptions[EXCEPTIONS];
};

extern const struct core_vectors stw_npu_core_vectors;

__attribute__((aligned(128), used)) const struct core_vectors stw_npu_core_vectors = {
    .stack_top = STACK_TOP,
    .exceptions = {reset, [1 ... EXCEPTIONS - 1] = stop},
};
