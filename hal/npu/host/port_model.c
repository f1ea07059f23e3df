/* SPDX-License-Identifier: Apache-2.0 */
/* An NPU within the program, as large as the macros of stw_board.h say: its model runs when the driver waits for it. */
#include "hal/npu/model/machine.h"
#include "hal/npu/port.h"
#include "stw_board.h"

static uint8_t memory[STW_NPU_BANKS * STW_NPU_BANK_BYTES];
static const struct stw_npu_machine machine = STW_NPU_MACHINE(memory);
static struct stw_npu_registers registers;

struct stw_npu_registers *stw_npu_port_registers(void) {
    if (registers.id != STW_NPU_ID) {
        stw_npu_model_reset(&machine, &registers);
    }
    return &registers;
}

void stw_npu_port_ring(void) {
}

bool stw_npu_port_wait(void) {
    stw_npu_model_poll(&machine, &registers);
    return registers.interrupt != 0u;
}
