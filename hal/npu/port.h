/* SPDX-License-Identifier: Apache-2.0 */
/* What differs between chips with an NPU: where its registers are, how its doorbell is wired, and how to wait for it. */
#ifndef STOWAGE_HAL_NPU_PORT_H
#define STOWAGE_HAL_NPU_PORT_H

#include <stdbool.h>

#include "hal/npu/registers.h"

/* The registers, of an NPU that is out of reset. */
struct stw_npu_registers *stw_npu_port_registers(void);

/* Carries a doorbell, which the register has, to the NPU. */
void stw_npu_port_ring(void);

/* Sleeps until the NPU's interrupt has come, or returns false where it has not in a long time. */
bool stw_npu_port_wait(void);

#endif
