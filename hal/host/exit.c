/* SPDX-License-Identifier: Apache-2.0 */
#include "stowage_hal/exit.h"

#include <stdlib.h>

void stw_hal_exit(int status) {
    exit(status);
}
