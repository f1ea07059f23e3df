/* SPDX-License-Identifier: Apache-2.0 */
#include "stowage_hal/exit.h"

#include "hal/cortex_m/port.h"

void stw_hal_exit(int status) {
    stw_port_exit(status);
}
