/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_HAL_H
#define STOWAGE_HAL_HAL_H

/* The whole hardware abstraction layer but for host_file.h, which tests alone may use. */

#include "stowage_hal/console.h"
#include "stowage_hal/counter.h"
#include "stowage_hal/dma.h"
#include "stowage_hal/exit.h"
#include "stowage_hal/fault.h"
#include "stowage_hal/init.h"
#include "stowage_hal/interrupt.h"
#include "stowage_hal/memory.h"
#include "stowage_hal/stack.h"

#endif
