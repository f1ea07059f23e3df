/* SPDX-License-Identifier: Apache-2.0 */
#ifndef STOWAGE_HAL_RESET_H
#define STOWAGE_HAL_RESET_H

/* Where the core starts: brings the core and memory into the state that stw_hal_init's header promises, then runs main. */
__attribute__((noreturn)) void stw_reset(void);

#endif
